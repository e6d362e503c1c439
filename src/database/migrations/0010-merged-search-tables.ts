import type { Migration } from '../migrations.ts'

/**
 * Search tables of many bundles in one (see search/merged-tables.ts). A row is written when its tables `merged_search_…_<id>` are whole;
 * they are copies, left out of backups, and a row without them means nothing.
 */
export const migration: Migration = {
  id: '0010-merged-search-tables',
  sql: `
create table search_merges (
  id integer generated always as identity primary key,
  -- whose rows are in the tables; some may not be in service any more
  bundles integer[] not null,
  created_at timestamptz not null default clock_timestamp()
);
`,
}
