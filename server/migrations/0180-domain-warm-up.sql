-- How much marketing email a domain may send on each day (UTC), and how much it has sent on the last one. Without `per_day` there is
-- no limit, and the count stays. `names` are the forms of the domain in sender addresses: in DNS, and as people write it.
create table domain_warm_ups (
  project_id uuid not null,
  domain text not null,
  names text[] not null,
  started_on date,
  per_day int,
  growth float8,
  counted_on date,
  counted int not null default 0,
  primary key (project_id, domain),
  foreign key (project_id, domain) references domains (project_id, domain) on delete cascade
);

-- On which day the email last counted, and when it first did.
alter table emails add column warm_up_day date, add column warm_up_at timestamptz(3);
