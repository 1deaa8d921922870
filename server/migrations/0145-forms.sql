-- Sign-up forms, which anyone can fill in.
create table forms (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null,
  -- [{key, label, type, required, options}], in the order of the form.
  fields jsonb not null,
  -- Keys of topics.
  topics text[] not null,
  choose_topics boolean not null,
  -- Null: as the project's setting says.
  double_opt_in boolean,
  title text,
  description text,
  button_text text,
  consent_text text,
  success_message text,
  redirect_url text,
  event_name text,
  -- {provider, siteKey, endpoint}
  captcha jsonb,
  -- Encrypted.
  captcha_secret bytea,
  enabled boolean not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  primary key (project_id, id)
);
-- The address of a form has only its ID.
create index forms_by_id on forms (id);

-- The numbers of each day. They stay when contacts are erased.
create table form_days (
  project_id uuid not null,
  form_id uuid not null,
  day date not null,
  shown int not null,
  submitted int not null,
  confirmed int not null,
  spam int not null,
  primary key (project_id, form_id, day),
  foreign key (project_id, form_id) references forms (project_id, id) on delete cascade
);

-- Submissions that were refused as spam, for some weeks. The address is shortened, so that it identifies nobody.
create table form_spam (
  project_id uuid not null,
  form_id uuid not null,
  id uuid not null,
  reason text not null check (reason in ('honeypot', 'too-fast', 'captcha')),
  email text,
  ip text,
  user_agent text,
  created_at timestamp(3) with time zone not null,
  primary key (project_id, form_id, id),
  foreign key (project_id, form_id) references forms (project_id, id) on delete cascade
);
create index form_spam_by_time on form_spam (created_at);

-- Contacts who were asked to confirm by a form, and haven't.
create table form_signups (
  project_id uuid not null,
  contact_id uuid not null,
  form_id uuid not null,
  requested_at timestamp(3) with time zone not null,
  primary key (project_id, contact_id, form_id),
  foreign key (project_id, form_id) references forms (project_id, id) on delete cascade
);
create index form_signups_by_form on form_signups (project_id, form_id);
create index form_signups_by_time on form_signups (requested_at);
