-- A campaign's test email belongs to no campaign and counts in no statistics.
create or replace function is_test(source_type text, campaign_id uuid) returns boolean language sql immutable parallel safe as $$
  select source_type = 'CAMPAIGN' and campaign_id is null
$$;
