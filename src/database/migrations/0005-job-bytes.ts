import type { Migration } from '../migrations.ts'

/** How much each job's files take on the disk: what one person's results may take together is bounded (see queue.ts). */
export const migration: Migration = {
  id: '0005-job-bytes',
  sql: `
alter table jobs add column bytes bigint not null default 0;
create index jobs_bytes_of_owner on jobs (owner) where bytes > 0;
create index jobs_bytes_of_client on jobs (client) where bytes > 0;
`,
}
