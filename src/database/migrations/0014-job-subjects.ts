import type { Migration } from '../migrations.ts'

/** What a job was asked about, so that a list of jobs names them without reading inputs, which may be megabytes each. */
export const migration: Migration = {
  id: '0014-job-subjects',
  sql: `
alter table jobs add column subject text not null default '';
`,
}
