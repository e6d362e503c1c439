import type { Migration } from '../migrations.ts'

/**
 * What is computed over everything that is loaded, assemblies of all species together: bundles that belong to no release. Which one
 * serves is told by what it was computed from (see homologs.ts), so that a release that is rolled back finds the one made for it.
 */
export const migration: Migration = {
  id: '0003-homologs',
  sql: `
create table portal_bundles (
  bundle integer primary key references bundles (id) on delete cascade,
  tool text not null,
  -- numbers of the bundles it was computed from, ascending; of assemblies first, then those of species that brought something to it
  inputs integer[] not null
);

create table orthogroups (
  bundle integer not null,
  id text not null collate "C",
  -- largest first
  position integer not null,
  gene_count integer not null,
  assembly_count integer not null,
  -- clustered, or taken from a table of the lab
  source text not null,
  -- {"<bundle of the assembly>": ["gene", …]}
  members jsonb not null
) partition by list (bundle);

create table homologs (
  bundle integer not null,
  assembly_bundle integer not null,
  gene text not null collate "C",
  orthogroup text collate "C",
  -- [[bundle of the assembly, gene, relation, identity, coverage, its coverage, e-value, bits, reciprocal, shared neighbours, neighbours]]
  hits jsonb not null
) partition by list (bundle);
`,
}
