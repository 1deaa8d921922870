-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* count-system-mail */
select count(*)::int as count from captured_messages where system;

/* find-system-message */
select id, recipients, raw, encrypted, created_at from captured_messages where system and id = $1::uuid;

/* list-system-mail */
select id, recipients, raw, encrypted, created_at from captured_messages
where system and ($1::uuid is null or id < $2::uuid)
order by id desc limit $3;

/* read-database-facts */
select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
  (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
  (select count(*)::int from users) as accounts, (select count(*)::int from projects) as projects;
