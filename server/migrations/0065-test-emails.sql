-- Test emails, and the contacts whose data they show. They have no contact of their own, so without this table neither
-- those of a contact nor the recent ones of a project could be found among all emails.
create table test_emails (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  contact_id uuid,
  primary key (project_id, id)
);
create index test_emails_contact on test_emails (project_id, contact_id) where contact_id is not null;
