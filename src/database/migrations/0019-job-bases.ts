import type { Migration } from '../migrations.ts'

/**
 * Key of all that a job computes, without what only marks its result: a job of the same key, such as the same comparison with other genes
 * of interest, goes on from what was computed.
 */
export const migration: Migration = {
  id: '0019-job-bases',
  sql: `
alter table jobs add column base_key text;
create index jobs_base on jobs (base_key) where base_key is not null and state = 'done';
`,
}
