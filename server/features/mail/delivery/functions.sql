-- Claiming an email changes nothing that is counted, so claim-queries.ts skips the triggers that count.
create or replace function is_claiming() returns boolean language sql stable as $$
  select coalesce(current_setting('posthorn.claiming', true), '') = 'on'
$$;

-- The end of a project's quiet hours, if `at` is in them; otherwise null. A time zone that this PostgreSQL doesn't have has none: an error
-- would stop the emails of other projects too.
create or replace function quiet_until(hours jsonb, at timestamptz) returns timestamptz language plpgsql stable as $$
declare
  zone text := hours ->> 'timezone';
  starts time := hours ->> 'from';
  ends time := hours ->> 'to';
  here timestamp;
begin
  if hours is null then return null; end if;
  here := at at time zone zone;
  if starts < ends and (here::time < starts or here::time >= ends) then return null; end if;
  if starts > ends and here::time < starts and here::time >= ends then return null; end if;
  return greatest(at + interval '1 second',
    (date_trunc('day', here) + ends + case when starts > ends and here::time >= starts then interval '1 day' else '0' end) at time zone zone);
exception when invalid_parameter_value then
  return null;
end $$;
