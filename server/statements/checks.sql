-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* find-checked-branding */
select branding from projects where id = $1;

/* find-known-names */
select distinct path[1] as name from contact_fields
where project_id = $1 and path[1] = any($2::text[]);

/* find-upload-sizes */
select storage_key, size from uploads
where project_id = $1 and storage_key = any($2::text[]);
