import type { Migration } from '../migrations.ts'

/** Genes of annotations before the one of a bundle, and what has become of them; those whose id and place are the same are left out. */
export const migration: Migration = {
  id: '0015-former-genes',
  sql: `
create table former_genes (
  bundle integer not null,
  id text not null collate "C",
  symbol text,
  description text,
  sequence text not null collate "C",
  start1 integer not null,
  end1 integer not null,
  strand text not null,
  -- elsewhere, renamed, split, merged, gone: see bio/annotation/gene-succession.ts
  relation text not null,
  -- ids of the bundle's own genes, along the genome
  genes text[] not null,
  -- place, product, order or id
  evidence text,
  share real
) partition by list (bundle);
`,
}
