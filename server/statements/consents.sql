-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* contact-exists */
select from contacts where project_id = $1 and id = $2;

/* count-consents */
select count(*) as count from consents where project_id = $1 and contact_id = $2;

/* erase-consents */
delete from consents where project_id = $1 and (contact_id, id) in (
  select contact_id, id from consents where project_id = $2 and contact_id = any($3::uuid[]) limit $4);

/* find-objection */
select objected_at from objections
where project_id = $1 and email_hash = sha256(convert_to($2::uuid::text || ' ' || $3::text, 'UTF8'));
