-- The position of a campaign or an execution in the activity feed: an ID that sorts by time and is always the same for the
-- same entry. Events have their own IDs. Indexes use this function, so its results must never change.
create or replace function feed_id(at timestamptz, type text, id uuid) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex((extract(epoch from at at time zone 'UTC') * 1000)::bigint), 12, '0')
    || '7' || substr(md5(type || id::text), 1, 3) || '8' || substr(md5(type || id::text), 4, 15))::uuid
$$;
