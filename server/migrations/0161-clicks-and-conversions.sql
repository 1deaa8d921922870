-- What people clicked: a row for each link of an email, deleted with the email. `link_hash` is the MD5 of the link, which can be longer
-- than a key of an index may be.
create table link_clicks (
  project_id uuid not null,
  email_id uuid not null,
  link_hash uuid not null,
  link text not null,
  contact_id uuid not null,
  campaign_id uuid,
  clicks int not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (project_id, email_id, link_hash)
);
create index link_clicks_contact on link_clicks (project_id, contact_id, last_at);
create index link_clicks_campaign on link_clicks (project_id, campaign_id) where campaign_id is not null;

-- Events that the project counts as conversions, each on the email that the contact clicked last. They contain no personal data, so
-- the results of a campaign stay when contacts and emails are deleted. The value is in millionths of its currency.
create table conversions (
  project_id uuid not null,
  id uuid not null,
  email_id uuid not null,
  campaign_id uuid,
  millionths bigint,
  currency text,
  at timestamptz(3) not null,
  primary key (project_id, id)
);
create index conversions_campaign on conversions (project_id, campaign_id, email_id) where campaign_id is not null;
