-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* delete-sns-body */
update sns_messages set body = null, encrypted = null where id = $1;

/* find-addressed */
select to_email as "to", coalesce(cc, bcc) is not null as "hasCopies" from emails
where project_id = $1 and id = $2;

/* find-email-by-own-id */
select e.project_id as "projectId", e.id as "emailId"
from projects p join emails e on e.project_id = p.id and e.id = $1 and e.message_id = $2
limit 1;

/* find-email-by-provider-id */
select project_id as "projectId", id as "emailId" from emails
where message_id = $1 and strpos(message_id, '@') = 0 limit 1;

/* find-sent-emails */
select project_id as "projectId", to_email as "to" from emails
where project_id = any($1::uuid[]) and id = $2 and source_type <> 'INBOUND';

/* find-sns-message */
select body, encrypted, received_at as "receivedAt" from sns_messages
where id = $1 and (body is not null or encrypted is not null);

/* keep-sns-message */
with kept as (
  insert into sns_messages (id, topic_arn, body, encrypted, received_at)
  values ($1, $2, $3::text, $4::bytea, $5::timestamptz)
  on conflict (id) do nothing
  returning id, body, encrypted
)
select posthorn_queue.add_job($6, json_build_object('messageId', kept.id)::json, $7::timestamptz,
$8::text, $9::int) from kept
where body is not null or encrypted is not null;
