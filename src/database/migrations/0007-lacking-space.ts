import type { Migration } from '../migrations.ts'

/** What a load that waits for space lacks: where (null on a database server elsewhere), how much must be free, how much is. */
export const migration: Migration = {
  id: '0007-lacking-space',
  sql: `
alter table loads add column lacks_space boolean not null default false;
alter table loads add column space_folder text;
alter table loads add column needed_bytes double precision;
alter table loads add column free_bytes double precision;
`,
}
