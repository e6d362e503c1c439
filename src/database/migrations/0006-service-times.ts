import type { Migration } from '../migrations.ts'

/**
 * How long each release was in service, and which one served before it came: a release that was rejected after an hour is not kept
 * in place of one that served for a year, and is not rolled back to.
 */
export const migration: Migration = {
  id: '0006-service-times',
  sql: `
alter table releases add column served_seconds double precision not null default 0;
alter table releases add column serves_since timestamptz;
alter table releases add column served_until timestamptz;
alter table releases add column number_before integer;
update releases r set
  number_before = (select max(b.number) from releases b where b.species = r.species and b.number < r.number),
  served_until = (select min(n.created_at) from releases n where n.species = r.species and n.number > r.number),
  served_seconds = coalesce(extract(epoch from
    (select min(n.created_at) from releases n where n.species = r.species and n.number > r.number) - r.created_at), 0);
update releases r set serves_since = coalesce(r.served_until, r.created_at)
from species s where s.id = r.species and s.active_release = r.id;
`,
}
