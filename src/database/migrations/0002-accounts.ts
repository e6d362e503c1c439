import type { Migration } from '../migrations.ts'

/** Profiles, confirmed addresses, API tokens, codes, limits that hold in every process, messages in and out, gene sets, logs of loads. */
export const migration: Migration = {
  id: '0002-accounts',
  sql: `
alter table accounts
  -- the form that look-alike names share; null for accounts from before there was one
  add column look_key text unique,
  add column email text not null default '',
  -- lower case
  add column email_key text not null default '',
  add column email_confirmed boolean not null default false,
  -- waits for its confirmation before it takes the place of email
  add column new_email text,
  -- E.164
  add column phone text not null default '',
  add column phone_confirmed boolean not null default false,
  add column workplace text,
  add column job_type text,
  add column language text;
-- Only who has shown that an address is theirs has it to themselves: nobody can keep another's by naming it first.
create unique index accounts_email on accounts (email_key) where email_confirmed;
create unique index accounts_phone on accounts (phone) where phone_confirmed;

alter table sessions
  add column remember boolean not null default false,
  -- of the cookie by which a browser reads files where the portal requires signing in
  add column read_hash text unique;

create table api_tokens (
  id integer generated always as identity primary key,
  account integer not null references accounts (id) on delete cascade,
  name text not null,
  token_hash text not null unique,
  start text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz
);
create index api_tokens_account on api_tokens (account);

alter table login_failures
  add column id bigint generated always as identity primary key,
  -- a hash of the address it came from
  add column client text not null default '';

create table rate_counts (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (key, window_start)
);

create table phone_codes (
  phone text not null,
  purpose text not null check (purpose in ('login', 'confirm')),
  code_hash text not null,
  tries integer not null default 0,
  used boolean not null default false,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (phone, purpose)
);

create table mailed_tokens (
  token_hash text primary key,
  account integer not null references accounts (id) on delete cascade,
  purpose text not null check (purpose in ('confirm', 'reset')),
  email text not null,
  expires_at timestamptz not null
);
create index mailed_tokens_account on mailed_tokens (account);

create table outbox (
  id integer generated always as identity primary key,
  channel text not null check (channel in ('mail', 'sms')),
  recipient text not null,
  subject text not null default '',
  -- emptied once sent or given up
  body text not null,
  -- what a service needs besides the text: {code, language}, {replyTo}
  parameters jsonb not null default '{}',
  -- kept: no service was set up, so admin reads it here
  state text not null check (state in ('kept', 'waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  error text,
  next_attempt_at timestamptz not null default now(),
  -- a code that arrives after its time only confuses
  useful_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz
);
create index outbox_waiting on outbox (next_attempt_at) where state = 'waiting';

create table contact_messages (
  id integer generated always as identity primary key,
  account integer references accounts (id) on delete set null,
  name text not null,
  email text not null,
  subject text not null,
  message text not null,
  handled boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);

create table gene_sets (
  account integer not null references accounts (id) on delete cascade,
  -- 64 random bits in hexadecimal, often given by the browser in which the set was made
  id text not null collate "C",
  name text not null,
  assembly text,
  genes text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (account, id)
);

create table load_steps (
  load integer not null references loads (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  step text not null
);
create index load_steps_load on load_steps (load, at);

create index audit_at on audit (at desc);
create index audit_actor on audit (actor, at desc);
`,
}
