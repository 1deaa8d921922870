-- Whether all emails of a campaign are queued and it is complete with the last of them. A volatile function reads what was committed
-- until now: the statement that calls it may have begun before the last emails were queued. In PL/pgSQL, because a function in SQL is planned
-- again for each statement.
create or replace function awaits_last_emails(project uuid, campaign uuid) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from campaigns where project_id = project and id = campaign and status = 'SENDING' and drained_at is not null);
end $$;
