-- Requests with API keys in the last days, for developers. Without bodies, and without a foreign key, because rows are
-- written after the response.
create table api_requests (
  project_id uuid not null,
  -- The request ID.
  id uuid not null,
  method text not null,
  -- Without the query.
  path text not null,
  status smallint not null,
  code text,
  duration_ms int not null,
  key_type text not null check (key_type in ('secret', 'public', 'api')),
  key_id uuid,
  key_name text not null,
  ip text,
  -- {message, errors, suggestion} of a refused request.
  error jsonb,
  ignored_fields text[],
  created_at timestamp(3) with time zone not null,
  primary key (project_id, id)
);

create index api_requests_refused on api_requests (project_id, id) where status >= 400;
