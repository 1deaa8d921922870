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
