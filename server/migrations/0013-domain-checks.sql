-- Background checks of sender domains: when each is due, what the last one found, and how many failed in a row.

alter table domains
  add column next_check_at timestamptz(3) not null default now(),
  add column failed_checks smallint not null default 0,
  -- Since when the domain lacks its proof; for the pace of checks and for giving up.
  add column pending_since timestamptz(3),
  -- Purposes of the records that the last check found in place. A dkim record of a provider counts with its number: dkim-2.
  add column records_found text[] not null default '{}',
  -- The names of a mail provider's own DKIM records; null while it has not told them.
  add column provider_dkim_tokens text[];

update domains set pending_since = created_at where status <> 'VERIFIED';
update domains set records_found = '{ownership,dkim,spf,dmarc,return-path}' where status = 'VERIFIED';

create index domains_due on domains (next_check_at);
