import type { Migration } from '../migrations.ts'

/**
 * Servers, workers and tasks of a cluster as they make themselves known (see jobs/presence.ts), so that an administrator sees them all
 * from any of them; and on which node the scheduler of a cluster runs a task.
 */
export const migration: Migration = {
  id: '0011-processes',
  sql: `
create table processes (
  -- Machine, number and start time (see jobs/processes.ts); what it holds of jobs begins with it.
  name text primary key collate "C",
  role text not null check (role in ('server', 'worker', 'task')),
  host text not null,
  pid integer not null,
  version text not null,
  -- Where a server listens.
  address text,
  -- Jobs at a time of a worker.
  places integer,
  -- A server that was told to stop.
  draining boolean not null default false,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);

alter table job_tasks add column node text not null default '';
`,
}
