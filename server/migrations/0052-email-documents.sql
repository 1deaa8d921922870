-- What an email was written in, beside the HTML it is compiled to, and the text that inboxes show after the subject.
alter table templates add column document jsonb, add column mjml text, add column preheader text;
alter table campaigns add column document jsonb, add column mjml text, add column preheader text;
