-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* list-visual-templates */
select id, document from templates
where project_id = $1 and document is not null and id > coalesce($2::uuid, $3::uuid)
  and ($4::text is null or document ->> 'layoutId' = $5::text)
order by id limit $6;

/* save-compiled-template */
update templates set body = $1
where project_id = $2 and id = $3 and document = $4::jsonb;
