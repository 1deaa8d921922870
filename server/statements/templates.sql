-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* list-visual-templates */
select id, document from templates
where project_id = $1 and document is not null
  and id > coalesce($2::uuid, $3::uuid)
  and ($4::text is null or document ->> 'layoutId' = $5::text)
order by id limit $6;

/* save-compiled-template */
with saved as (
    update templates set body = $1 where project_id = $2 and id = $3 and document = $4::jsonb and body <> $5
    returning id, version
  )
update content_versions set body = $6 from saved
where content_versions.project_id = $7 and "content_versions"."template_id" = saved.id
  and content_versions.number = saved.version and content_versions.body <> $8;
