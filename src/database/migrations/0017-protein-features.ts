import type { Migration } from '../migrations.ts'

/** Places on proteins that annotation names something at: domains, signal peptides, segments in the membrane. */
export const migration: Migration = {
  id: '0017-protein-features',
  sql: `
create table protein_features (
  bundle integer not null,
  gene text not null collate "C",
  -- protein, transcript or gene as the file names it
  protein text not null,
  analysis text not null,
  accession text,
  name text,
  -- InterPro entry that the signature belongs to
  entry text,
  entry_name text,
  -- residues, from 1, both included
  start1 integer not null,
  end1 integer not null,
  evalue double precision
) partition by list (bundle);
`,
}
