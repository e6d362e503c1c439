import type { Migration } from '../migrations.ts'

/** Transposable elements: a large genome has a million, so they are browsed by queries of their own rather than as records. */
export const migration: Migration = {
  id: '0004-transposable-elements',
  sql: `
create table transposable_elements (
  bundle integer not null,
  -- along the genome: sequences in order, then start
  position integer not null,
  id text not null collate "C",
  -- empty where the file names none
  family text not null collate "C",
  -- Wicker's
  code text not null collate "C",
  sequence text not null collate "C",
  start1 integer not null,
  end1 integer not null,
  strand text not null,
  form text not null collate "C",
  -- substitutions per 100 sites from the consensus of the family
  divergence real,
  -- percent of equal bases between the two LTRs, and their substitutions per 100 sites
  ltr_identity real,
  ltr_divergence real,
  -- {class, source, parts: [[type, start, end, strand, name, e-value]]}, 1-based inclusive
  details jsonb not null
) partition by list (bundle);
`,
}
