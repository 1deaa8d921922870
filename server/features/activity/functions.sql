-- The position of a campaign or an execution in the feed of all activity: an id that sorts by the moment and is always the
-- same for the same thing. Events have an id of their own. Indexes use it, so its results must never change.
create or replace function feed_id(at timestamptz, type text, id uuid) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex((extract(epoch from at at time zone 'UTC') * 1000)::bigint), 12, '0')
    || '7' || substr(md5(type || id::text), 1, 3) || '8' || substr(md5(type || id::text), 4, 15))::uuid
$$;
