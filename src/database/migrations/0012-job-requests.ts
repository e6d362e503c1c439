import type { Migration } from '../migrations.ts'

/** The request by which a job was asked for, so that what is logged of it anywhere can be found by the id that the reader was told. */
export const migration: Migration = {
  id: '0012-job-requests',
  sql: `
alter table jobs add column request_id text;
-- W3C trace context of that request, where traces are kept.
alter table jobs add column traceparent text;
`,
}
