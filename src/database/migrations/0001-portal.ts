import type { Migration } from '../migrations.ts'

/**
 * The first schema. Tables that hold what was loaded are partitioned by bundle: a load fills stand-alone tables of its own,
 * attaches them, and one transaction moves the species' pointer to the new release (see baked-tables.ts). Parents carry
 * no indexes: each partition gets its own after its rows are in, which is several times faster than filling indexed tables.
 * Names are compared in the C collation so that prefix search uses plain B-trees whatever the server's locale.
 */
export const migration: Migration = {
  id: '0001-portal',
  sql: `
create extension if not exists pg_trgm;

create table portal_settings (
  key text primary key,
  value jsonb not null
);

-- What is loaded ------------------------------------------------------------------------------------------------------

create table species (
  id text primary key collate "C",
  active_release integer,
  position integer not null default 0,
  created_at timestamptz not null default now()
);

create table bundles (
  id integer generated always as identity primary key,
  -- name of the folder under bundles/
  uid text not null unique,
  species text not null,
  -- null for what belongs to the species as a whole (ontologies, references)
  assembly text,
  -- of the inputs and the loader's version: equal fingerprints need no second bake
  fingerprint text not null,
  checksum text not null,
  summary jsonb not null,
  created_at timestamptz not null default now()
);
create index bundles_fingerprint on bundles (fingerprint);

create table releases (
  id integer generated always as identity primary key,
  species text not null references species (id) on delete cascade,
  number integer not null,
  manifest jsonb not null,
  report jsonb not null,
  created_at timestamptz not null default now(),
  unique (species, number)
);

create table release_bundles (
  release integer not null references releases (id) on delete cascade,
  bundle integer not null references bundles (id),
  position integer not null,
  primary key (release, bundle)
);

create table loads (
  id integer generated always as identity primary key,
  species text not null,
  folder text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  step text not null default '',
  fraction real not null default 0,
  report jsonb,
  host text not null default '',
  pid integer not null default 0,
  started_by text not null default '',
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  ended_at timestamptz
);

create table sequences (
  bundle integer not null,
  position integer not null,
  name text not null collate "C",
  length_bp bigint not null,
  gc_count bigint not null,
  n_count bigint not null,
  role text not null,
  circular boolean not null,
  genetic_code integer not null,
  gene_count integer not null,
  aliases text[] not null,
  md5 text not null collate "C",
  sha512t24u text not null collate "C"
) partition by list (bundle);

create table genes (
  bundle integer not null,
  id text not null collate "C",
  symbol text,
  name text,
  description text,
  biotype text not null,
  sequence text not null collate "C",
  start1 integer not null,
  end1 integer not null,
  strand text not null,
  -- position along the genome: sequences in order, then start; neighbours are position - 1 and + 1
  position integer not null,
  aliases text[] not null,
  attributes jsonb not null,
  -- [{id, biotype, start, end, exons: [[start, end]], cds: [[start, end, phase]], proteinId, proteinLength}], 1-based inclusive
  transcripts jsonb not null,
  transcript_count integer not null,
  exon_count integer not null,
  protein_length integer
) partition by list (bundle);

create table terms (
  bundle integer not null,
  source text not null collate "C",
  term text not null collate "C",
  name text,
  namespace text,
  definition text,
  obsolete boolean not null,
  replaced_by text,
  synonyms text[] not null,
  alternative_ids text[] not null,
  parents text[] not null,
  -- closure over is_a and part_of, the term itself left out
  ancestors text[] not null
) partition by list (bundle);

create table gene_terms (
  bundle integer not null,
  gene text not null collate "C",
  source text not null collate "C",
  term text not null collate "C",
  evidence text,
  qualifier text,
  start1 integer,
  end1 integer
) partition by list (bundle);

-- Search: entries in falling order of worth, so that a scan by position meets the best first.
create table search_entries (
  bundle integer not null,
  position integer not null,
  type text not null collate "C",
  id text not null collate "C",
  label text not null,
  description text,
  sequence text collate "C",
  start1 integer,
  end1 integer,
  strand text,
  names text not null,
  body text not null,
  extra text not null,
  words tsvector generated always as (
    setweight(to_tsvector('simple', names), 'A') ||
    setweight(to_tsvector('english', body), 'B') ||
    setweight(to_tsvector('english', extra), 'D')
  ) stored
) partition by list (bundle);

create table search_names (
  bundle integer not null,
  -- lower case
  name text not null collate "C",
  -- 0 identifier, 1 symbol, 2 alias, 3 transcript or protein
  kind smallint not null,
  type text not null collate "C",
  id text not null collate "C",
  position integer not null
) partition by list (bundle);

-- How many entries of a type have a lexeme: exact totals for single words without counting.
create table search_lexemes (
  bundle integer not null,
  lexeme text not null collate "C",
  type text not null collate "C",
  entry_count integer not null
) partition by list (bundle);

-- Words as written, for spelling.
create table search_vocabulary (
  bundle integer not null,
  word text not null collate "C",
  entry_count integer not null
) partition by list (bundle);

-- Records of tools' own data: tracks, references, downloads and whatever their loaders bring.
create table records (
  bundle integer not null,
  kind text not null collate "C",
  id text not null collate "C",
  position integer not null,
  sequence text collate "C",
  start1 integer,
  end1 integer,
  data jsonb not null
) partition by list (bundle);

-- Jobs ----------------------------------------------------------------------------------------------------------------

create table jobs (
  -- 128 random bits in hexadecimal
  id text primary key collate "C",
  tool text not null,
  tool_version integer not null,
  input jsonb not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  owner integer,
  -- who asked, for fairness between visitors; a hash, never an address
  client text not null default '',
  -- of tool, version, input, bundles and programs: equal keys have equal results
  cache_key text not null,
  -- bundles the input was resolved against
  bundles integer[] not null default '{}',
  -- the job whose directory holds the result, when this one was answered by it
  result_of text,
  progress real,
  step text,
  error jsonb,
  attempt integer not null default 0,
  cancel_requested boolean not null default false,
  worker text,
  lease_until timestamptz,
  submitted_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz not null
);
create index jobs_queue on jobs (submitted_at) where state in ('queued', 'running');
create index jobs_cache on jobs (cache_key) where state in ('queued', 'running', 'done');
create index jobs_owner on jobs (owner, submitted_at);
create index jobs_expiry on jobs (expires_at);

-- Accounts ------------------------------------------------------------------------------------------------------------

create table accounts (
  id integer generated always as identity primary key,
  username text not null,
  -- lower case, look-alikes folded: no two accounts may look the same
  username_key text not null unique,
  password_hash text not null,
  access text not null check (access in ('user', 'admin')),
  disabled boolean not null default false,
  profile jsonb not null default '{}',
  created_at timestamptz not null default now()
);

create table sessions (
  -- SHA-256 of the token: the token itself is never stored
  token_hash text primary key,
  account integer not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_account on sessions (account);

create table login_failures (
  username_key text not null,
  failed_at timestamptz not null default now()
);
create index login_failures_key on login_failures (username_key, failed_at);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  target text not null default '',
  detail jsonb not null default '{}'
);
`,
}
