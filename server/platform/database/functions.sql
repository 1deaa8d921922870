-- Functions about ids, days and dates that statements of several features call.

-- An id for a moment, like those that kernel/ids.ts creates, for statements that insert many rows. `place` keeps their order.
create or replace function id_at(at timestamptz, place bigint) returns uuid language sql volatile parallel safe as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint + place / 4096), 12, '0')
    || '7' || lpad(to_hex(place % 4096), 3, '0')
    || overlay(right(replace(gen_random_uuid()::text, '-', ''), 16) placing '8' from 1 for 1))::uuid
$$;

-- The smallest id of a moment.
create or replace function first_id_at(at timestamptz) returns uuid language sql immutable parallel safe as $$
  select rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- An id that sorts next to another one and is always the same for the same seed, so that a repeated statement inserts
-- nothing twice.
create or replace function derive_id(other uuid, seed text) returns uuid language sql immutable parallel safe as $$
  select (left(other::text, 14) || '7' || substr(other::text, 16, 4)
    || translate(substr(hash, 1, 1), '01234567cdef', '89ab89ab89ab') || substr(hash, 2, 3) || '-' || substr(hash, 5, 12))::uuid
  from (select md5(other::text || seed) as hash) as seeded
$$;

create or replace function utc_day(at timestamptz) returns date language sql immutable parallel safe as $$
  select (at at time zone 'UTC')::date
$$;

-- A date in full, to the millisecond, or null: text of two exact forms that names an existing day.
-- The same rule as in kernel/conditions/condition-dates.ts.
create or replace function date_text(value jsonb) returns text language sql immutable parallel safe as $$
  select case when jsonb_typeof(value) = 'string' and (value #>> '{}') ~ (
      '^([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
      '|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)'
      '(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{3})?Z)?$')
    then case length(value #>> '{}')
      when 10 then (value #>> '{}') || 'T00:00:00.000Z'
      when 20 then left(value #>> '{}', 19) || '.000Z'
      else value #>> '{}' end
  end
$$;

-- Ends a statement whose request has lost its idempotency key to another one, so that only one of them has its effect.
create or replace function refuse_lost_claim() returns text language plpgsql volatile as $$
begin
  raise exception 'another request has taken over this idempotency key' using errcode = 'PHIDK';
end $$;
