import type { Migration } from '../migrations.ts'

/**
 * Parts of what a load computes over all assemblies are jobs that nobody asked for (see jobs/load-parts.ts): they are taken after those of
 * people, whatever their numbers.
 */
export const migration: Migration = {
  id: '0013-load-parts',
  sql: `
-- The load that a part is of; null for a job that somebody asked for.
alter table jobs add column load integer;
drop index jobs_queue;
create index jobs_queue on jobs ((load is not null), queue_number) where state = 'queued';
create index jobs_load on jobs (load, queue_number) where load is not null;

-- By tool, the digest of what its computations over several assemblies take of this one: what is kept of them is found by it.
alter table bundles add column contents jsonb not null default '{}';
`,
}
