-- A test email belongs to no campaign and counts in no statistics. Until 0.2.0 its source was CAMPAIGN.
create or replace function is_test(source_type text, campaign_id uuid) returns boolean language sql immutable parallel safe as $$
  select source_type = 'TEST' or (source_type = 'CAMPAIGN' and campaign_id is null)
$$;

-- What happened to an email, as every statistic counts it. `kernel/sending/email-rates.ts` has the bases of the rates.
-- Delivered and bounced never overlap: an email that bounces after its delivery is no longer delivered.
create or replace function is_delivered(delivered_at timestamptz, bounced_at timestamptz) returns boolean
language sql immutable parallel safe as $$
  select delivered_at is not null and bounced_at is null
$$;

-- A refused email bounced at once: it was never sent.
create or replace function is_refused(sent_at timestamptz, bounced_at timestamptz) returns boolean
language sql immutable parallel safe as $$
  select sent_at is null and bounced_at is not null
$$;

-- Each with the moment at which it happened; null if it didn't.
create or replace function email_facts(sent_at timestamptz, delivered_at timestamptz, opened_at timestamptz, clicked_at timestamptz,
  bounced_at timestamptz, complained_at timestamptz)
returns table (fact text, at timestamptz) language sql immutable parallel safe as $$
  values ('sent', sent_at), ('delivered', case when is_delivered(delivered_at, bounced_at) then delivered_at end),
    ('opened', opened_at), ('clicked', clicked_at), ('bounced', bounced_at), ('complained', complained_at),
    ('refused', case when is_refused(sent_at, bounced_at) then bounced_at end)
$$;

-- The base of open and click rates, as `reachedOf` in `kernel/sending/email-rates.ts`.
create or replace function emails_reached(sent bigint, refused bigint, delivered bigint, bounced bigint) returns bigint
language sql immutable parallel safe as $$
  select case when delivered > 0 then delivered else greatest(0, sent + refused - bounced) end
$$;
