import type { Migration } from '../migrations.ts'

/** Notebooks: runs of tools and sets of genes in an order, with what they gave then. */
export const migration: Migration = {
  id: '0016-notebooks',
  sql: `
create table notebooks (
  -- 128 random bits: whoever has the address reads it
  id text primary key collate "C",
  -- null of a visitor's, who has a key instead
  account integer references accounts on delete cascade,
  key_hash text,
  title text not null,
  -- counts its changes: a second tab does not overwrite what it has not seen
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  read_at timestamptz not null default clock_timestamp()
);
create index on notebooks (account) where account is not null;

create table notebook_steps (
  notebook text not null references notebooks on delete cascade,
  id text not null collate "C",
  position integer not null,
  title text not null,
  note text not null default '',
  -- tool: a run; set: genes, given or made of other steps
  kind text not null,
  tool text,
  job text,
  input jsonb,
  receipt jsonb,
  -- of the result as JSON: SHA-256, and the text by gzip; null while the job runs, and where it is too large to keep
  digest text,
  result bytea,
  state text not null,
  gene_set jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (notebook, id)
);
`,
}
