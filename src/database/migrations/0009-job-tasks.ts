import type { Migration } from '../migrations.ts'

/**
 * What is asked of a scheduler for a job (see jobs/scheduler/dispatcher.ts): the last start of each job that waits or runs. The job's own
 * row says how it ended; here is only whether a start is under way.
 */
export const migration: Migration = {
  id: '0009-job-tasks',
  sql: `
create table job_tasks (
  job text primary key references jobs (id) on delete cascade,
  -- Starts that were asked for so far.
  number integer not null default 1,
  -- By which the scheduler lists it.
  name text not null unique,
  -- The scheduler's own id; null until it has answered or listed it.
  task_id text,
  -- waiting, running or ending as listed; asked before that; gone when it is listed no more.
  state text not null default 'asked',
  -- Why it waits, in the scheduler's word.
  reason text not null default '',
  -- Why the scheduler did not take it.
  failure text,
  -- The job was taken by this start.
  claimed boolean not null default false,
  -- Starts in a row that ended without taking the job.
  unclaimed integer not null default 0,
  asked_at timestamptz not null default clock_timestamp(),
  running_at timestamptz,
  gone_at timestamptz
);
`,
}
