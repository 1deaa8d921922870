-- Claiming an email changes nothing that is counted, so claim-queries.ts skips the triggers that count.
create or replace function is_claiming() returns boolean language sql stable as $$
  select coalesce(current_setting('posthorn.claiming', true), '') = 'on'
$$;
