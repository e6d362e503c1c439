import type { Migration } from '../migrations.ts'

/** What a person did with a load: one that failed since was cancelled, and one that was done may have been undone. */
export const migration: Migration = {
  id: '0018-load-ends',
  sql: `
alter table loads
  add column cancelled_at timestamptz,
  add column undone_at timestamptz;
`,
}
