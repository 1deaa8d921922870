-- The type of a contact's field, from its first value.
create or replace function field_type(value jsonb) returns text language sql immutable parallel safe as $$
  select case jsonb_typeof(value)
    when 'number' then 'number'
    when 'boolean' then 'boolean'
    when 'string' then case when value #>> '{}' ~
      '^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{3})?Z)?$'
      then 'date' else 'string' end
    else 'string' -- a list
  end
$$;

-- The new data of a contact, unless it is larger than a contact may have (kernel/contact-data.ts) and than it was: data
-- from before the limit can still shrink. The text is only measured where the value is large enough to matter: text is
-- at most six times as long as the value.
create or replace function bounded_contact_data(before jsonb, after jsonb) returns jsonb language plpgsql immutable parallel safe as $$
begin
  if pg_column_size(after) > 40000 and octet_length(after::text) > 262144
    and octet_length(after::text) > octet_length(before::text) then
    raise exception 'the data of a contact would be too large' using errcode = 'PHBIG';
  end if;
  return after;
end $$;
