-- The day (UTC) to which an email counts that is sent at `at`. The clock of the process that counted last may be a little ahead.
create or replace function warm_up_day(counted_on date, at timestamptz) returns date language sql immutable parallel safe as $$
  select case when counted_on = (at at time zone 'UTC')::date + 1 then counted_on else (at at time zone 'UTC')::date end
$$;

-- How many emails a domain may send on a day; null before the warm-up starts. The dashboard shows plans by the same rule (pages/domains/warm-up-plan.ts).
create or replace function warm_up_limit(started_on date, per_day int, growth float8, day date) returns int
language sql immutable parallel safe as $$
  select case when day < started_on then null
    when growth > 1 and (day - started_on) * ln(growth) > 25 then 1000000000
    else least(floor(per_day * power(growth, (day - started_on)::float8) + 0.000001), 1000000000)::int end
$$;
