/** Made by `npm run generate` from docs/openapi.json; do not edit. */

export interface paths {
    "/v1/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email
         * @description Sends an email to one or more recipients. Each recipient becomes a contact (not subscribed unless `subscribed` is true) and receives a separate email. The response is sent once all emails are stored; they are then sent in the background.
         */
        post: operations["send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List emails
         * @description Newest first.
         */
        get: operations["listEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an email */
        get: operations["getEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emails/{id}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the raw message */
        get: operations["getEmailRaw"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emails/{id}/attachments/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment
         * @description The attachment is identified by its position in `attachments`, starting at 0. Works for sent and received emails.
         */
        get: operations["getEmailAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emails/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a failed or canceled email
         * @description Sends the same email with the same Message-ID, starting over with the first attempt. Only for `FAILED` and `CANCELLED` emails whose content is still stored. 409 if the email was already sent or bounced, if the contact was deleted, or, for bulk email, if the contact unsubscribed or the address is suppressed.
         */
        post: operations["resendEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emails/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a recipient action
         * @description For development: simulates an open, click, bounce or complaint for a captured email, with all its effects. Only available while email is captured (`MAIL_URL=capture:`); otherwise 404.
         */
        post: operations["simulateEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/t/o/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load a tracking pixel
         * @description Always returns an image. The first load counts as an open; loads by scanners and prefetchers do not count.
         */
        get: operations["getTO"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/t/c/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a tracked link
         * @description Redirects only to the URL in the email, which is part of the signed token.
         */
        get: operations["getTC"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/sns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an Amazon SNS message
         * @description For topics to which SES reports deliveries, bounces, complaints, opens and clicks. Messages are verified by their signature. Each is processed once, in any order; a new subscription is confirmed automatically.
         */
        post: operations["snsWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Track an event for a contact
         * @description Creates the contact if it is new (subscribed unless `subscribed` is false). Values in `data` are stored on the contact.
         */
        post: operations["track"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Track an event with the secret key
         * @description Creates the contact if it is new (subscribed unless `subscribed` is false). Values in `data` are stored on the contact.
         */
        post: operations["trackEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Newest first.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get event counts
         * @description Counts by name, most frequent first. Without `from` and `to`, the counts cover all time.
         */
        get: operations["getEventStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List event names */
        get: operations["listEventNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/contact/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's events
         * @description Newest first.
         */
        get: operations["getEventContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{eventName}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage of an event
         * @description The event name must be percent-encoded.
         */
        get: operations["getEventUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{eventName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete all events with a name
         * @description The event name must be percent-encoded. Segments and workflows that use the event are kept. System events are refused.
         */
        delete: operations["deleteEvent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an email address
         * @description No email is sent to the address. A well-formed address always gets a 200 response within 5 seconds. If DNS is unavailable, `valid` is false and `reasons` explains why.
         */
        post: operations["verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Newest first.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Create or update a contact
         * @description Contacts are identified by email address. New contacts are subscribed unless `subscribed` is false.
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a contact */
        get: operations["getContact"];
        put?: never;
        post?: never;
        /** Delete a contact permanently */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /**
         * Update a contact
         * @description Changing `subscribed` records a contact.subscribed or contact.unsubscribed event.
         */
        patch: operations["updateContact"];
        trace?: never;
    };
    "/contacts/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look up contacts by email address */
        post: operations["lookupContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contact fields
         * @description The type of a custom field is that of its first value. For nested objects, each leaf is listed.
         */
        get: operations["listContactFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/fields/{field}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List values of a contact field
         * @description Distinct values, most frequent first. The field is given as `data.plan` or `plan`, percent-encoded.
         */
        get: operations["listContactFieldValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/fields/{field}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get usage of a contact field */
        get: operations["getContactFieldUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/fields/{field}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a custom field
         * @description Removes the field from every contact, including all values nested in it. Segments and other resources that use the field are kept, but no longer match on it.
         */
        delete: operations["deleteContactField"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import contacts from a CSV file
         * @description New contacts are subscribed unless the file specifies otherwise. Existing contacts keep values that the file does not contain.
         *
         *     The import runs in the background. Get its progress and result from `GET /contacts/import/{jobId}`.
         */
        post: operations["importContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/import/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an import */
        get: operations["getContactImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/bulk-subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe contacts in bulk
         * @description The job runs in the background. Get its progress and result from `GET /contacts/bulk/{jobId}`.
         */
        post: operations["bulkSubscribeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/bulk-unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unsubscribe contacts in bulk
         * @description The job runs in the background. Get its progress and result from `GET /contacts/bulk/{jobId}`.
         */
        post: operations["bulkUnsubscribeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/bulk-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete contacts in bulk
         * @description The job runs in the background. Get its progress and result from `GET /contacts/bulk/{jobId}`.
         */
        post: operations["bulkDeleteContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/bulk/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a bulk job */
        get: operations["getContactBulk"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export contacts
         * @description A CSV file of all contacts, oldest first, with a column for every field. The file can be imported again.
         */
        get: operations["getContactExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressed addresses
         * @description Addresses that receive no campaigns and no marketing email because they bounced permanently, complained, or were added manually. Newest first.
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Suppress an address
         * @description The address doesn't need to belong to a contact. An address that is already suppressed keeps its reason.
         */
        post: operations["createSuppression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a suppression
         * @description The address must be percent-encoded. Setting `subscribed: true` on a contact also deletes the suppression of its address.
         */
        delete: operations["deleteSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unsubscribe/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the unsubscribe page
         * @description A page for email recipients; no account is needed. Changes nothing.
         */
        get: operations["getUnsubscribe"];
        put?: never;
        /**
         * Unsubscribe
         * @description Called by the button on the page, or with one click by a mail client (RFC 8058). Can be repeated.
         */
        post: operations["postUnsubscribeByToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribe/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the subscribe page
         * @description A page for email recipients; no account is needed. Changes nothing.
         */
        get: operations["getSubscribe"];
        put?: never;
        /**
         * Subscribe
         * @description Also removes the suppression of the address. Can be repeated.
         */
        post: operations["postSubscribeByToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the preferences page
         * @description A page for email recipients; no account is needed. Changes nothing.
         */
        get: operations["getManage"];
        put?: never;
        /**
         * Save preferences
         * @description Without a choice, only shows the page.
         */
        post: operations["postManageByToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Newest first, unless `sort` and `dir` are set.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description Invalid Liquid is refused with its line and column.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a template
         * @description Renders the template without sending or storing anything. A template that exceeds the rendering limits is refused, as it would fail when sent.
         */
        post: operations["previewTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a template */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        /**
         * Delete a template
         * @description Not possible while the template is used by a workflow step or by a campaign that hasn't completed.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Update a template
         * @description Only the fields you send change. null clears `description`, `fromName` and `replyTo`.
         */
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/templates/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate a template
         * @description The copy has the name of the original followed by " (Copy)".
         */
        post: operations["duplicateTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get usage of a template */
        get: operations["getTemplateUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns
         * @description Newest first, unless `sort` and `dir` are set.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign
         * @description The campaign is created as a draft. The response contains it at the top level and, repeated, under `data`.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/audience-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview an audience */
        post: operations["audiencePreviewCampaigns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a campaign */
        get: operations["getCampaign"];
        /**
         * Replace a campaign
         * @description Only possible while the campaign is DRAFT or SCHEDULED. Omitted fields are cleared; the schedule is kept.
         */
        put: operations["replaceCampaign"];
        post?: never;
        /**
         * Delete a campaign
         * @description Not possible while the campaign is SCHEDULED or SENDING. Its emails are kept.
         */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Duplicate a campaign */
        post: operations["duplicateCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send or schedule a campaign
         * @description The audience is determined when sending starts. Each contact in it receives one email.
         */
        post: operations["sendCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign
         * @description Emails that haven't been sent yet won't be sent.
         */
        post: operations["cancelCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a campaign
         * @description The status stays SENDING and `pausedAt` is set. No more emails are sent, except those already in progress.
         */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a campaign */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test email
         * @description Sends the campaign to any address. No contact is created and nothing is counted.
         */
        post: operations["testCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get campaign statistics
         * @description Updated live while the campaign is being sent. Each email counts once, however often it was opened or clicked.
         */
        get: operations["getCampaignStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaign recipients
         * @description Returns each recipient with the status of their email. Recipients whose emails haven't been created yet are not listed; `pendingCount` in the statistics includes them.
         */
        get: operations["listCampaignRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{id}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry failed emails of a campaign */
        post: operations["retryFailedCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows
         * @description Newest first.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow
         * @description A new workflow has no steps, the trigger type EVENT, and is disabled, whatever the request contains. Change it with a PATCH request.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List fields for CONDITION steps */
        get: operations["listWorkflowFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a workflow
         * @description Accepts the response of `GET /workflows/{id}/export`. The new workflow is disabled.
         */
        post: operations["importWorkflows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a workflow */
        get: operations["getWorkflow"];
        put?: never;
        post?: never;
        /**
         * Delete a workflow
         * @description Also deletes its executions. Not possible while some of them are active.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        /**
         * Update a workflow
         * @description Only the fields you send change. A workflow can be enabled if it has an event that starts it (unless it is MANUAL) and exactly one first step. While it is disabled, no executions start; active executions continue.
         */
        patch: operations["updateWorkflow"];
        trace?: never;
    };
    "/workflows/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate a workflow
         * @description The copy is disabled and has no executions.
         */
        post: operations["duplicateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a workflow */
        get: operations["getWorkflowExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a step */
        post: operations["createWorkflowStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/steps/{stepId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a step
         * @description Also deletes its transitions. Executions waiting at the step fail.
         */
        delete: operations["deleteWorkflowStep"];
        options?: never;
        head?: never;
        /**
         * Update a step
         * @description `config` is replaced as a whole. Executions waiting at the step continue with the new configuration.
         */
        patch: operations["updateWorkflowStep"];
        trace?: never;
    };
    "/workflows/{id}/transitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect two steps
         * @description Loops are refused. Transitions from a CONDITION step need a `branch`.
         */
        post: operations["createWorkflowTransition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/transitions/{transitionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a transition */
        delete: operations["deleteWorkflowTransition"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List executions
         * @description Newest first.
         */
        get: operations["listWorkflowExecutions"];
        put?: never;
        /**
         * Start a workflow for a contact
         * @description Not possible while the workflow is disabled, or for a contact that can't enter it (again).
         */
        post: operations["createWorkflowExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/executions/cancel-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel all active executions */
        post: operations["cancelAllWorkflowExecutions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/executions/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an execution */
        get: operations["getWorkflowExecution"];
        put?: never;
        post?: never;
        /** Cancel an execution */
        delete: operations["deleteWorkflowExecution"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/executions/{executionId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed execution
         * @description Continues at the step that failed. A webhook keeps its `webhook-id`, so that the receiver can recognize the repeated request.
         */
        post: operations["retryWorkflowExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a workflow
         * @description Simulates the workflow for a contact. Nothing is sent or changed. Returns the path, why each branch was taken, and the emails and requests that would be sent.
         */
        post: operations["simulateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the webhook secret */
        get: operations["getWorkflowWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/webhook-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the webhook secret
         * @description For one day, webhooks are signed with both the old and the new secret.
         */
        post: operations["rotateWorkflowWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List segments
         * @description Newest first.
         */
        get: operations["listSegments"];
        put?: never;
        /**
         * Create a segment
         * @description A DYNAMIC segment contains all contacts that match its condition. A STATIC segment contains the contacts you add.
         */
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a condition
         * @description Counts the contacts that match a condition and returns a page of them, ten by default. Nothing is stored.
         */
        post: operations["previewSegments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a segment */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        /**
         * Delete a segment
         * @description Not possible while the segment is used by another segment or by a campaign that hasn't completed.
         */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        /**
         * Update a segment
         * @description Only the fields you send change. STATIC segments have no condition. Turning off `trackMembership` deletes the stored members of a DYNAMIC segment without recording events.
         */
        patch: operations["updateSegment"];
        trace?: never;
    };
    "/segments/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts in a segment
         * @description Newest first. For a DYNAMIC segment, the contacts that match its condition now.
         */
        get: operations["listSegmentContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add contacts to a STATIC segment
         * @description By email address. Contacts that are already members are unchanged.
         */
        post: operations["createSegmentMember"];
        /**
         * Remove contacts from a STATIC segment
         * @description By email address. The contacts are not deleted.
         */
        delete: operations["deleteSegmentMembers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments/{id}/compute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compute the members of a segment
         * @description For DYNAMIC segments that track membership. Records entry and exit events. Segments are also computed automatically every few minutes.
         */
        post: operations["computeSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh the member count of a segment
         * @description Updates only `memberCount`.
         */
        post: operations["refreshSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List activity
         * @description Events, campaigns and workflow executions in one list, newest first.
         */
        get: operations["getActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get activity totals and rates
         * @description Covers the last 30 days by default, and at most 366 days. Days are whole UTC days.
         */
        get: operations["getActivityStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/recent-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count recent activity */
        get: operations["getActivityRecentCount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List activity types */
        get: operations["listActivityTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List upcoming activity
         * @description Scheduled campaigns and executions waiting until a certain time, soonest first.
         */
        get: operations["getActivityUpcoming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream activity
         * @description A stream of server-sent events. `data` is an item of `GET /activity` and `id` is its id. To receive what you missed, up to 500 items, send the last id you received as `Last-Event-ID`.
         */
        get: operations["getActivityStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's timeline
         * @description Events and emails of the contact, newest first. An email appears at the time it was accepted; deliveries, opens and bounces appear as events.
         */
        get: operations["getContactTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/timeseries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get email statistics by day
         * @description Covers the last 30 days by default, and at most 366 days. Each event counts on the UTC day it happened. Days without events are included.
         */
        get: operations["getAnalyticsTimeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/top-campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List top campaigns
         * @description Includes campaigns that started sending between `from` and `to`, or all campaigns without these parameters.
         */
        get: operations["listAnalyticsTopCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/campaign-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get campaign totals and average rates
         * @description Rates are averaged over campaigns, regardless of their size.
         */
        get: operations["listAnalyticsCampaignStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/top-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List top events
         * @description Covers the last 30 days by default, and at most 366 days. Days are whole UTC days.
         */
        get: operations["listAnalyticsTopEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/project/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List domains */
        get: operations["getDomainProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a domain
         * @description The response lists the DNS records to set.
         */
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a domain
         * @description Includes findings about the domain's SPF, DMARC and MX records, which are looked up for at most 4 seconds. The verification status doesn't change.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /** Delete a domain */
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a domain
         * @description Checks the DNS records now. They are also checked in the background every 5 minutes. A verified domain becomes pending after three failed checks in a row; checks that fail because DNS is unavailable do not count.
         */
        get: operations["getDomainVerify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an image
         * @description The image type is detected from the content, not from the file name. Metadata such as camera data and comments is removed. The URL in the response is public and never changes.
         */
        post: operations["imageUploads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{projectId}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an image */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your projects */
        get: operations["listUserMeProjects"];
        put?: never;
        /**
         * Create a project
         * @description You become its owner. This is the only response that contains the full secret key.
         */
        post: operations["createUserMeProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me/projects/{id}/regenerate-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Regenerate API keys
         * @description Replaces both keys. The old keys stop working immediately.
         */
        post: operations["createUserMeProjectRegenerateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a project
         * @description Its API keys stop working and its members lose access immediately. Its data is deleted in the background. This can't be undone.
         */
        delete: operations["deleteUserMeProject"];
        options?: never;
        head?: never;
        /** Update a project */
        patch: operations["updateUserMeProject"];
        trace?: never;
    };
    "/users/@me/projects/{id}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a project
         * @description Deletes contacts, suppressions, events, emails, templates, campaigns, segments, workflows and uploads. Keeps the project, its API keys, members and domains, its usage and limits, its reputation and its audit log. With a session, the request must confirm the name of the project. This can't be undone.
         */
        post: operations["resetUserMeProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/setup-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get setup progress */
        get: operations["getProjectSetupState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get sending reputation
         * @description The status is based on the last seven days if they contain at least 100 emails, and on all emails otherwise. Only permanent bounces count.
         */
        get: operations["getProjectSecurity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me/projects/{id}/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get sending reputation
         * @description The status is based on the last seven days if they contain at least 100 emails, and on all emails otherwise. Only permanent bounces count.
         */
        get: operations["getUserMeProjectSecurity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me/projects/{id}/billing-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get billing limits */
        get: operations["listUserMeProjectBillingLimits"];
        /**
         * Set billing limits
         * @description A source that is omitted keeps its limit. Requests that would exceed a limit fail with status 402.
         */
        put: operations["replaceUserMeProjectBillingLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me/projects/{id}/billing-consumption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get usage */
        get: operations["getUserMeProjectBillingConsumption"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me/projects/{id}/billing-invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description The last 100 invoices, newest first. Requires Stripe.
         */
        get: operations["listUserMeProjectBillingInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me/projects/{id}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout session
         * @description Starts a subscription. Returns the URL of a Stripe page. Requires Stripe.
         */
        post: operations["checkoutUserMeProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me/projects/{id}/billing-portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the billing portal
         * @description Returns the URL of a Stripe page where the subscription can be changed or canceled. Requires Stripe.
         */
        post: operations["billingPortalUserMeProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/incoming/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a Stripe event
         * @description Events are verified by their signature. Each is processed once, in any order.
         */
        post: operations["stripeWebhookIncoming"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members */
        get: operations["listProjectMembers"];
        put?: never;
        /**
         * Add a member
         * @description The person must have an account with a confirmed email address and is notified by email. For anyone else, create an invitation: its link confirms the address. With `MAIL_URL=capture:` no address can be confirmed, so every account is accepted.
         */
        post: operations["createProjectMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Access ends immediately. The owner can't be removed, and you can't remove yourself.
         */
        delete: operations["deleteProjectMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description The owner's role can't be changed, and the role OWNER can't be assigned.
         */
        patch: operations["updateProjectMember"];
        trace?: never;
    };
    "/projects/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List pending invitations */
        get: operations["listProjectInvitations"];
        put?: never;
        /**
         * Create an invitation
         * @description Invites a person by email, whether or not they have an account. The link expires after 7 days, works once, and only for that address. A new invitation to the same address replaces the old one. Limited to 50 per day.
         */
        post: operations["createProjectInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an invitation */
        delete: operations["deleteProjectInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries
         * @description Administrative actions, newest first, kept for two years. Actions of contacts are listed under activity.
         */
        get: operations["getProjectAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account and sign in
         * @description Sends an email with a link to confirm the address.
         */
        post: operations["signupAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description After five failed attempts for an address from one network within 15 minutes, or fifty from anywhere, further attempts are refused until the 15 minutes have passed. If two-factor authentication is enabled, a request without `code` fails with `TWO_FACTOR_REQUIRED`; send it again with the code.
         */
        post: operations["loginAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sign out */
        get: operations["getAuthLogout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/request-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a confirmation email
         * @description For the signed-in user, or for `email`. The response is the same whether or not the account exists.
         */
        post: operations["requestVerificationAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your email address
         * @description Requires the token from the email, which expires after one hour and can be used once.
         */
        post: operations["verifyEmailAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset
         * @description Sends an email with a link to set a new password. The response is the same whether or not the account exists. Limited to five emails per hour.
         */
        post: operations["requestPasswordResetAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a password
         * @description Requires the token from the email, which expires after one hour and can be used once. Ends all sessions of the account. If its address was never confirmed, two-factor authentication is turned off and the account leaves projects that others own.
         */
        post: operations["resetPasswordAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Ends all sessions of the account. The response sets a new session in the `token` cookie.
         */
        post: operations["changePasswordAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get an invitation */
        post: operations["previewInvitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description You must be signed in with the address the invitation was sent to. Accepting it also confirms your address.
         */
        post: operations["acceptInvitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/@me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the signed-in user */
        get: operations["getUserMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sessions */
        get: operations["listAuthSessions"];
        put?: never;
        post?: never;
        /** End all other sessions */
        delete: operations["deleteAuthSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["deleteAuthSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the two-factor status */
        get: operations["getAuthTwoFactor"];
        put?: never;
        /**
         * Set up two-factor authentication
         * @description Returns a secret for an authenticator app. Two-factor authentication is enabled once you confirm a code generated with it. Your email address must be confirmed.
         */
        post: operations["twoFactorAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enable two-factor authentication */
        post: operations["confirmAuthTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Regenerate recovery codes
         * @description The old codes stop working immediately.
         */
        post: operations["createAuthTwoFactorRecoveryCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable two-factor authentication
         * @description Requires your password and a code.
         */
        post: operations["disableAuthTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oauth-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sign-in providers */
        get: operations["getAuthOauthConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oauth/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in with a provider
         * @description Redirect the browser to this URL; the provider is `github`, `google` or `oidc`. After signing in, the browser returns with a session.
         */
        get: operations["getAuthOauth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oauth/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Complete a sign-in with a provider */
        get: operations["getAuthOauthCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oauth/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the two-factor code after a provider
         * @description Receives the form of the two-factor page. The `oauth` cookie proves that the first step was completed.
         */
        post: operations["codeAuthOauth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get features and version */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check liveness */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check readiness */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Prometheus metrics
         * @description If `METRICS_TOKEN` is set, it is required as a bearer token.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Activity: {
            /** Format: uuid */
            id: string;
            /** @description The name of an event, or a campaign.* or workflow.* type. */
            type: string;
            /** Format: date-time */
            timestamp: string;
            contact: {
                /** Format: uuid */
                id: string;
                /** Format: email */
                email: string;
            } | null;
            metadata: {
                [key: string]: unknown;
            };
        };
        AudiencePreview: {
            /** @description A sample of the contacts that would receive the campaign now. */
            count: number;
            sample: components["schemas"]["Contact"][];
            excluded: {
                unsubscribed: number;
                suppressed: number;
            };
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** @example member.added */
            act: string;
            actor: {
                /** @enum {string} */
                type: "USER" | "KEY" | "SYSTEM";
                userId: string | null;
                /** @description The user's email address at the time of the action. */
                email: string | null;
            };
            details: {
                [key: string]: unknown;
            };
            /** @description IP address of the request. */
            ip: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        BillingConsumption: {
            /** @example 2026-11 */
            month: string;
            transactional: number;
            campaigns: number;
            workflows: number;
            inbound: number;
            total: number;
            /** @description The last twelve months, newest first. */
            history: {
                /** @example 2026-11 */
                month: string;
                transactional: number;
                campaigns: number;
                workflows: number;
                inbound: number;
                total: number;
            }[];
            /** @description Status of the Stripe subscription; null if there is none. */
            subscription: {
                status: string;
                periodEndsAt: string | null;
                cancelsAtPeriodEnd: boolean;
            } | null;
        };
        BillingInvoices: {
            data: {
                id?: string | null;
                number: string | null;
                status: string | null;
                currency: string;
                /** @description In the smallest unit of the currency. */
                amountDue: number;
                amountPaid: number;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                periodStart: string;
                /** Format: date-time */
                periodEnd: string;
                url: string | null;
                pdfUrl: string | null;
            }[];
        };
        BillingLimits: {
            transactional: {
                /** @description Emails per calendar month (UTC). null means no limit. */
                limit: number | null;
                /** @description Emails in the current calendar month. */
                used: number;
            };
            campaigns: {
                /** @description Emails per calendar month (UTC). null means no limit. */
                limit: number | null;
                /** @description Emails in the current calendar month. */
                used: number;
            };
            workflows: {
                /** @description Emails per calendar month (UTC). null means no limit. */
                limit: number | null;
                /** @description Emails in the current calendar month. */
                used: number;
            };
            inbound: {
                /** @description Emails per calendar month (UTC). null means no limit. */
                limit: number | null;
                /** @description Emails in the current calendar month. */
                used: number;
            };
        };
        BillingPage: {
            /**
             * Format: uri
             * @description Redirect the user to this URL.
             */
            url: string;
        };
        BulkJob: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
            /** @description Progress in percent. */
            progress: number;
            /** @description Why the job failed. */
            error: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @enum {string} */
            type: "BULK_SUBSCRIBE" | "BULK_UNSUBSCRIBE" | "BULK_DELETE";
            result: {
                totalRequested: number;
                successCount: number;
                /** @description Contacts that already had the requested state, or were listed more than once. */
                unchangedCount: number;
                failureCount: number;
                errors: {
                    /** Format: uuid */
                    contactId: string;
                    error: string;
                }[];
            } | null;
        };
        Campaign: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            subject: string;
            body: string;
            from: string;
            fromName: string | null;
            replyTo: string | null;
            /** @enum {string} */
            type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS";
            /** @enum {string} */
            status: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED";
            /** @enum {string} */
            audienceType: "ALL" | "SEGMENT" | "FILTERED";
            audienceCondition: {
                /** @enum {string} */
                logic: "AND" | "OR";
                groups: {
                    filters: {
                        /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                        field: string;
                        /** @description See the guide to segments for the operators of each field. */
                        operator: string;
                        /** @description The value to compare with; a positive number for operators that compare times. */
                        value?: unknown;
                        /** @enum {string} */
                        unit?: "minutes" | "hours" | "days";
                    }[];
                    /** @description A nested condition of the same shape. */
                    conditions?: Record<string, never>;
                }[];
            } | null;
            segmentId: string | null;
            templateId: string | null;
            scheduledFor: string | null;
            /** @description Why sending could not start or continue; null otherwise. */
            heldReason: string | null;
            pausedAt: string | null;
            /** @description An estimate until sending starts, then exact. */
            totalRecipients: number;
            sentCount: number;
            deliveredCount: number;
            openedCount: number;
            clickedCount: number;
            bouncedCount: number;
            /** Format: uuid */
            projectId: string;
            /** @description When sending started. */
            sentAt: string | null;
            finishedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CampaignInput: {
            name: string;
            description?: string | null;
            /** @description Supports Liquid. */
            subject?: string;
            /** @description HTML; supports Liquid. */
            body?: string;
            /**
             * Format: email
             * @description The domain must be verified.
             */
            from?: string;
            fromName?: string | null;
            replyTo?: string | null;
            /**
             * @description Defaults to the template's type, or MARKETING.
             * @enum {string}
             */
            type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS";
            /** @enum {string} */
            audienceType: "ALL" | "SEGMENT" | "FILTERED";
            /** @description Groups combined with `logic`. All filters of a group, and its nested `conditions`, must match. */
            audienceCondition?: {
                /** @enum {string} */
                logic: "AND" | "OR";
                groups: {
                    filters: {
                        /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                        field: string;
                        /** @description See the guide to segments for the operators of each field. */
                        operator: string;
                        /** @description The value to compare with; a positive number for operators that compare times. */
                        value?: unknown;
                        /** @enum {string} */
                        unit?: "minutes" | "hours" | "days";
                    }[];
                    /** @description A nested condition of the same shape. */
                    conditions?: Record<string, never>;
                }[];
            };
            /** Format: uuid */
            segmentId?: string;
            /** @description Subject, body, sender and type default to the template's. */
            templateId?: string | null;
        };
        CampaignRecipient: {
            /**
             * Format: uuid
             * @description Status of the email.
             */
            id: string;
            contactId: string | null;
            email: string;
            status: string;
            error: string | null;
            attempts: number;
            opens: number;
            clicks: number;
            sentAt: string | null;
            deliveredAt: string | null;
            openedAt: string | null;
            clickedAt: string | null;
            bouncedAt: string | null;
            complainedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        CampaignStats: {
            /** @description An estimate until sending starts, then exact. */
            totalRecipients: number;
            sentCount: number;
            deliveredCount: number;
            openedCount: number;
            clickedCount: number;
            bouncedCount: number;
            failedCount: number;
            complainedCount: number;
            /** @description Contacts who unsubscribed through a link in this campaign. */
            unsubscribedCount: number;
            pendingCount: number;
            /** @description Delivered / (sent or bounced). */
            deliveryRate: number;
            /** @description Opened / delivered. */
            openRate: number;
            /** @description Clicked / delivered. */
            clickRate: number;
            /** @description Bounced / (sent or bounced). */
            bounceRate: number;
        };
        Contact: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            subscribed: boolean;
            data: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CreatedCampaign: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            subject: string;
            body: string;
            from: string;
            fromName: string | null;
            replyTo: string | null;
            /** @enum {string} */
            type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS";
            /** @enum {string} */
            status: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED";
            /** @enum {string} */
            audienceType: "ALL" | "SEGMENT" | "FILTERED";
            audienceCondition: {
                /** @enum {string} */
                logic: "AND" | "OR";
                groups: {
                    filters: {
                        /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                        field: string;
                        /** @description See the guide to segments for the operators of each field. */
                        operator: string;
                        /** @description The value to compare with; a positive number for operators that compare times. */
                        value?: unknown;
                        /** @enum {string} */
                        unit?: "minutes" | "hours" | "days";
                    }[];
                    /** @description A nested condition of the same shape. */
                    conditions?: Record<string, never>;
                }[];
            } | null;
            segmentId: string | null;
            templateId: string | null;
            scheduledFor: string | null;
            /** @description Why sending could not start or continue; null otherwise. */
            heldReason: string | null;
            pausedAt: string | null;
            /** @description An estimate until sending starts, then exact. */
            totalRecipients: number;
            sentCount: number;
            deliveredCount: number;
            openedCount: number;
            clickedCount: number;
            bouncedCount: number;
            /** Format: uuid */
            projectId: string;
            /** @description When sending started. */
            sentAt: string | null;
            finishedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            success: true;
            data: components["schemas"]["Campaign"];
        };
        Domain: {
            /** Format: uuid */
            id: string;
            domain: string;
            /** Format: uuid */
            projectId: string;
            verified: boolean;
            /** @enum {string} */
            status: "PENDING" | "VERIFIED" | "FAILED";
            records: {
                /** @enum {string} */
                purpose: "ownership" | "dkim" | "spf" | "dmarc" | "return-path";
                /** @enum {string} */
                type: "TXT" | "MX" | "CNAME";
                name: string;
                value: string;
                priority?: number;
                verified: boolean;
            }[];
            lastCheckedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Email: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            projectId: string;
            contactId: string | null;
            to: string;
            toName: string | null;
            /** @description The rendered subject. */
            subject: string;
            from: string;
            fromName: string | null;
            replyTo: string | null;
            headers: {
                [key: string]: string;
            };
            messageId: string | null;
            /** @enum {string} */
            sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW" | "INBOUND";
            templateId: string | null;
            campaignId: string | null;
            workflowExecutionId: string | null;
            /** @enum {string} */
            status: "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "CANCELLED" | "RECEIVED";
            error: string | null;
            attempts: number;
            sentAt: string | null;
            deliveredAt: string | null;
            openedAt: string | null;
            clickedAt: string | null;
            bouncedAt: string | null;
            complainedAt: string | null;
            opens: number;
            clicks: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        EmailWithContent: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            projectId: string;
            contactId: string | null;
            to: string;
            toName: string | null;
            /** @description The rendered subject. */
            subject: string;
            from: string;
            fromName: string | null;
            replyTo: string | null;
            headers: {
                [key: string]: string;
            };
            messageId: string | null;
            /** @enum {string} */
            sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW" | "INBOUND";
            templateId: string | null;
            campaignId: string | null;
            workflowExecutionId: string | null;
            /** @enum {string} */
            status: "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "CANCELLED" | "RECEIVED";
            error: string | null;
            attempts: number;
            sentAt: string | null;
            deliveredAt: string | null;
            openedAt: string | null;
            clickedAt: string | null;
            bouncedAt: string | null;
            complainedAt: string | null;
            opens: number;
            clicks: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The rendered body; null if it could not be rendered. */
            html: string | null;
            text: string | null;
            /** @description In order. The first is available at `/emails/{id}/attachments/0`. Empty if no longer stored. */
            attachments: {
                filename: string;
                contentType: string;
                contentId: string | null;
                /** @enum {string} */
                disposition: "attachment" | "inline";
                /** @description Size in bytes. */
                size: number;
            }[];
            timeline: {
                event: string;
                /** Format: date-time */
                at: string;
                data: {
                    [key: string]: unknown;
                };
                /** @description The mail server's response, or why the email was not sent. */
                words?: string;
            }[];
        };
        /** @description The body of every error response. */
        Error: {
            /** @constant */
            success: false;
            error: {
                /**
                 * @description Machine-readable and stable.
                 * @example VALIDATION_ERROR
                 */
                code: string;
                /** @description Human-readable; can change. */
                message: string;
                /** @description Same as the HTTP status. */
                statusCode: number;
                /** @description Same as the `X-Request-Id` header. Include it when you ask for help. */
                requestId: string;
                /** @description The problem with each invalid field, with status 422. */
                errors?: {
                    /** @description Path of the field, such as `attachments.0.filename`. */
                    field: string;
                    message: string;
                    /** @description Usually `invalid_string`, `invalid_type`, `too_small`, `too_big`, `invalid_enum_value` or `custom`. */
                    code: string;
                    /** @description The value that was received, if it is short enough. */
                    received?: unknown;
                }[];
                /** @description Depends on the error code. */
                details?: {
                    [key: string]: unknown;
                };
                /** @description How to solve the problem. */
                suggestion?: string;
            };
            /** @description Same as `error.message`, for older clients. */
            message: string;
            /** Format: date-time */
            timestamp: string;
        };
        Event: {
            /** Format: uuid */
            id: string;
            name: string;
            contactId: string | null;
            emailId: string | null;
            data: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            contact: {
                /** Format: uuid */
                id: string;
                /** Format: email */
                email: string;
            } | null;
        };
        ExaminedDomain: {
            /** Format: uuid */
            id: string;
            domain: string;
            /** Format: uuid */
            projectId: string;
            verified: boolean;
            /** @enum {string} */
            status: "PENDING" | "VERIFIED" | "FAILED";
            records: {
                /** @enum {string} */
                purpose: "ownership" | "dkim" | "spf" | "dmarc" | "return-path";
                /** @enum {string} */
                type: "TXT" | "MX" | "CNAME";
                name: string;
                value: string;
                priority?: number;
                verified: boolean;
            }[];
            lastCheckedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Findings about the DNS records for email from this domain, with advice. */
            findings: {
                /** @enum {string} */
                topic: "SPF" | "DMARC" | "MX";
                /** @enum {string} */
                level: "ok" | "advice" | "problem" | "unknown";
                message: string;
            }[];
        };
        ImportJob: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
            /** @description Progress in percent. */
            progress: number;
            /** @description Why the job failed. */
            error: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            type: "IMPORT";
            /** @description Updated while the job runs. */
            result: {
                totalRows: number;
                createdCount: number;
                updatedCount: number;
                unchangedCount: number;
                failureCount: number;
                /** @description The first 100 errors. Row 1 is the header. */
                errors: {
                    row: number;
                    email: string | null;
                    error: string;
                }[];
            } | null;
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "OWNER" | "ADMIN" | "MEMBER";
            /** @description Email address of the person who sent the invitation; null if an API key did. */
            invitedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        Member: {
            /** Format: uuid */
            userId: string;
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "OWNER" | "ADMIN" | "MEMBER";
            /** Format: date-time */
            createdAt: string;
        };
        Project: {
            /** Format: uuid */
            id: string;
            name: string;
            publicKey: string;
            /** @description The last characters of the secret key. */
            secretKeyHint: string;
            disabled: boolean;
            disabledReason: string | null;
            /** @enum {string} */
            tracking: "ENABLED" | "DISABLED" | "MARKETING_ONLY";
            language: string;
            /** @description The caller's role; null for an API key. */
            role: ("OWNER" | "ADMIN" | "MEMBER") | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ProjectWithKeys: {
            /** Format: uuid */
            id: string;
            name: string;
            publicKey: string;
            /** @description The last characters of the secret key. */
            secretKeyHint: string;
            disabled: boolean;
            disabledReason: string | null;
            /** @enum {string} */
            tracking: "ENABLED" | "DISABLED" | "MARKETING_ONLY";
            language: string;
            /** @description The caller's role; null for an API key. */
            role: ("OWNER" | "ADMIN" | "MEMBER") | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            public: string;
            /** @description Shown only once. Keep it on your server. */
            secret: string;
            secretKey: string;
        };
        QueuedJob: {
            /** Format: uuid */
            jobId: string;
        };
        ResetReply: {
            /** @constant */
            success: true;
            /** @description False while the remaining data is being deleted in the background. */
            complete: boolean;
        };
        Security: {
            /** @enum {string} */
            status: "healthy" | "warning" | "critical";
            isDisabled: boolean;
            disabledReason: string | null;
            sevenDay: {
                sent: number;
                /** @description Permanent bounces only. */
                bounces: number;
                complaints: number;
                /** @description From 0 to 1. */
                bounceRate: number;
                complaintRate: number;
            };
            allTime: {
                sent: number;
                /** @description Permanent bounces only. */
                bounces: number;
                complaints: number;
                /** @description From 0 to 1. */
                bounceRate: number;
                complaintRate: number;
            };
            thresholds: {
                /** @description With fewer emails, no status is determined. */
                minimumEmails: number;
                bounceRate: {
                    warning: number;
                    critical: number;
                };
                complaintRate: {
                    warning: number;
                    critical: number;
                };
            };
        };
        Segment: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            type: "DYNAMIC" | "STATIC";
            /** @description null for STATIC segments. */
            condition: {
                /** @enum {string} */
                logic: "AND" | "OR";
                groups: {
                    filters: {
                        /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                        field: string;
                        /** @description See the guide to segments for the operators of each field. */
                        operator: string;
                        /** @description The value to compare with; a positive number for operators that compare times. */
                        value?: unknown;
                        /** @enum {string} */
                        unit?: "minutes" | "hours" | "days";
                    }[];
                    /** @description A nested condition of the same shape. */
                    conditions?: Record<string, never>;
                }[];
            } | null;
            trackMembership: boolean;
            /** @description Exact for STATIC segments, cached for DYNAMIC ones. */
            memberCount: number;
            /** Format: uuid */
            projectId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SegmentPreview: {
            count: number;
            /** @description A page of contacts, newest first. */
            sample: components["schemas"]["Contact"][];
        };
        Session: {
            /** Format: uuid */
            id: string;
            /** @description Whether this is the session that made the request. */
            current: boolean;
            ip: string | null;
            userAgent: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Accurate to within five minutes.
             */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SetupState: {
            hasVerifiedDomain: boolean;
            contactCount: number;
            emailsSent: number;
            hasTemplate: boolean;
            hasCampaignSent: boolean;
            hasEnabledWorkflow: boolean;
        };
        Suppression: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            /**
             * @description The address bounced permanently, its owner complained, or it was added manually.
             * @enum {string}
             */
            reason: "BOUNCE" | "COMPLAINT" | "MANUAL";
            /** Format: date-time */
            createdAt: string;
        };
        Template: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            /** @description Supports Liquid. */
            subject: string;
            /** @description HTML; supports Liquid. */
            body: string;
            from: string;
            fromName: string | null;
            replyTo: string | null;
            /** @enum {string} */
            type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS";
            /** Format: uuid */
            projectId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TemplatePreview: {
            subject: string;
            html: string;
            /** @description The plain text part, generated from the HTML. */
            text: string;
            /** @description Names without a value, such as `profile.tier`. Names with a `??` or `default` fallback are not included. */
            missing: string[];
        };
        TemplateUsage: {
            campaigns: {
                /** Format: uuid */
                id: string;
                name: string;
            }[];
            workflowSteps: {
                /** Format: uuid */
                id: string;
                name: string | null;
                /** Format: uuid */
                workflowId: string;
                workflowName: string;
            }[];
        };
        TimelineItem: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "event" | "email";
            /** Format: date-time */
            timestamp: string;
            event: {
                name: string;
                emailId: string | null;
                data: {
                    [key: string]: unknown;
                };
            } | null;
            email: {
                /** Format: uuid */
                id: string;
                subject: string | null;
                status: string;
                sourceType: string;
                opens: number;
                clicks: number;
            } | null;
        };
        UploadedImage: {
            /** Format: uri */
            url: string;
            filename: string;
            /** @enum {string} */
            contentType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
            size: number;
        };
        UpsertedContact: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            subscribed: boolean;
            data: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            _meta: {
                isNew: boolean;
                isUpdate: boolean;
            };
        };
        User: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            emailVerified: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        WebhookSecret: {
            /** @description In the format that Standard Webhooks libraries expect. */
            secret: string;
            /** Format: date-time */
            createdAt: string;
        };
        Workflow: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            triggerType: "EVENT" | "MANUAL";
            /** @description Null if no event is set. */
            triggerConfig: {
                eventName: string;
            } | null;
            enabled: boolean;
            /** @description If false, a contact can enter only once. If true, a contact can enter again after its previous execution has ended. */
            allowReentry: boolean;
            /** Format: uuid */
            projectId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WorkflowDocument: {
            /** @constant */
            format: "posthorn.workflow.1";
            name: string;
            description: string | null;
            /** @enum {string} */
            triggerType: "EVENT" | "MANUAL";
            triggerConfig: {
                eventName: string;
            } | null;
            allowReentry: boolean;
            steps: {
                key: string;
                /** @enum {string} */
                type: "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT";
                name: string | null;
                config: {
                    [key: string]: unknown;
                };
                position: unknown | null;
            }[];
            transitions: {
                from: string;
                to: string;
                branch: ("yes" | "no") | null;
            }[];
        };
        WorkflowExecution: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            workflowId: string;
            /** @description Null if the contact was deleted. */
            contactId: string | null;
            /** @enum {string} */
            status: "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED";
            currentStepId: string | null;
            exitReason: string | null;
            error: string | null;
            context: {
                [key: string]: unknown;
            };
            /** @description Data of the event that started it; null if it was started manually. */
            event: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            startedAt: string;
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WorkflowExecutionWithSteps: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            workflowId: string;
            /** @description Null if the contact was deleted. */
            contactId: string | null;
            /** @enum {string} */
            status: "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED";
            currentStepId: string | null;
            exitReason: string | null;
            error: string | null;
            context: {
                [key: string]: unknown;
            };
            /** @description Data of the event that started it; null if it was started manually. */
            event: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            startedAt: string;
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            steps: components["schemas"]["WorkflowStepRun"][];
        };
        WorkflowSimulation: {
            /** @enum {string} */
            status: "COMPLETED" | "EXITED" | "FAILED";
            exitReason: string | null;
            error: string | null;
            path: {
                /** Format: uuid */
                stepId: string;
                /** @enum {string} */
                type: "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT";
                name: string | null;
                /** @enum {string} */
                status: "RUNNING" | "WAITING" | "COMPLETED" | "SKIPPED" | "FAILED" | "CANCELLED";
                branch: ("yes" | "no") | null;
                /**
                 * Format: date-time
                 * @description When the step would be reached, including delays.
                 */
                at: string;
                output: {
                    [key: string]: unknown;
                } | null;
                error: string | null;
            }[];
        };
        WorkflowStep: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            workflowId: string;
            /** @enum {string} */
            type: "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT";
            name: string | null;
            config: {
                [key: string]: unknown;
            };
            templateId: string | null;
            position: unknown | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WorkflowStepRun: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            stepId: string;
            /** @enum {string} */
            type: "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT";
            /** @enum {string} */
            status: "RUNNING" | "WAITING" | "COMPLETED" | "SKIPPED" | "FAILED" | "CANCELLED";
            output: {
                [key: string]: unknown;
            } | null;
            error: string | null;
            /** Format: date-time */
            startedAt: string;
            completedAt: string | null;
            resumeAt: string | null;
        };
        WorkflowTransition: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            workflowId: string;
            /** Format: uuid */
            fromStepId: string;
            /** Format: uuid */
            toStepId: string;
            branch: ("yes" | "no") | null;
            /** @description Same as `branch`. */
            condition: {
                /** @enum {string} */
                branch: "yes" | "no";
            } | null;
            /** Format: date-time */
            createdAt: string;
        };
        WorkflowWithGraph: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            triggerType: "EVENT" | "MANUAL";
            /** @description Null if no event is set. */
            triggerConfig: {
                eventName: string;
            } | null;
            enabled: boolean;
            /** @description If false, a contact can enter only once. If true, a contact can enter again after its previous execution has ended. */
            allowReentry: boolean;
            /** Format: uuid */
            projectId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            steps: components["schemas"]["WorkflowStep"][];
            transitions: components["schemas"]["WorkflowTransition"][];
        };
    };
    responses: {
        /** @description The request is malformed: invalid JSON (`INVALID_REQUEST_BODY`), an invalid cursor, or a session without `X-Project-Id` (`BAD_REQUEST`). */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No key and no session (`MISSING_AUTH`), an invalid key or one of the wrong type (`INVALID_API_KEY`), incorrect credentials (`INVALID_CREDENTIALS`), or an expired session (`UNAUTHORIZED`). */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A billing limit has been reached (`BILLING_LIMIT_EXCEEDED`). */
        PaymentRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not allowed: the role is insufficient (`FORBIDDEN`), you are not a member of the project (`PROJECT_ACCESS_DENIED`), the project is disabled (`PROJECT_DISABLED`), or the sender domain is not verified (`INTERNAL_SERVER_ERROR`). */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist in this project: `RESOURCE_NOT_FOUND`, or a specific code such as `CONTACT_NOT_FOUND`. `details` contains `resource` and `id`. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request conflicts with the current state (`CONFLICT`), or the Idempotency-Key has already been used (`IDEMPOTENCY_KEY_REUSED`). */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body exceeds the maximum size for this endpoint (`PAYLOAD_TOO_LARGE`). */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Fields are missing or invalid (`VALIDATION_ERROR`). `error.errors` lists each of them. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The rate limit of the project has been reached (`RATE_LIMIT_EXCEEDED`). Wait for the number of seconds in `Retry-After`, also in `details.retryAfter`. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An internal error (`INTERNAL_SERVER_ERROR`). The log contains the details under the request id. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database is unavailable (`SERVICE_UNAVAILABLE`). Try again after `Retry-After` seconds. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The project to act on. Required with a session; an API key already determines the project. */
        ProjectId: string;
        /** @description Makes it safe to retry a request: if the key has already been used in the project, the response is 409. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies this request in the log. */
        "X-Request-Id": string;
        /** @description Maximum number of requests per minute. */
        "RateLimit-Limit": number;
        /** @description Requests left in the current minute. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the current minute ends. */
        "RateLimit-Reset": number;
        /** @description Seconds to wait before the next attempt. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    send: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
                /** @description Makes it safe to retry a request: if the key has already been used in the project, the response is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    to: (string | {
                        name?: string;
                        /** Format: email */
                        email: string;
                    }) | (string | {
                        name?: string;
                        /** Format: email */
                        email: string;
                    })[];
                    subject?: string;
                    /** @description HTML with Liquid. */
                    body?: string;
                    /** Format: uuid */
                    template?: string;
                    from?: string | {
                        name?: string;
                        /** Format: email */
                        email: string;
                    };
                    /**
                     * @deprecated
                     * @description Display name, if `from` has none.
                     */
                    name?: string;
                    subscribed?: boolean;
                    /** @description Custom fields. Only the keys you send change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. At most 64 KB as JSON; all data of a contact at most 256 KB. */
                    data?: {
                        [key: string]: unknown;
                    };
                    headers?: {
                        [key: string]: string;
                    };
                    /**
                     * Format: email
                     * @description The Reply-To address.
                     */
                    reply?: string;
                    attachments?: {
                        filename: string;
                        content: string;
                        contentType: string;
                        /** @description Reference it in the body as cid:<contentId>. */
                        contentId?: string;
                        /**
                         * @default attachment
                         * @enum {string}
                         */
                        disposition?: "attachment" | "inline";
                    }[];
                };
            };
        };
        responses: {
            /** @description Accepted. One entry per recipient, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            emails: {
                                contact: {
                                    /** Format: uuid */
                                    id: string;
                                    /** Format: email */
                                    email: string;
                                };
                                /** Format: uuid */
                                email: string;
                            }[];
                            /** Format: date-time */
                            timestamp: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEmails: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
                contactId?: string;
                campaignId?: string;
                status?: "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "CANCELLED" | "RECEIVED";
                /** @description Matches part of the recipient address or subject, ignoring case. */
                search?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of emails. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Email"][];
                        cursor: string | null;
                        hasMore: boolean;
                        /** @description Only on the first page; 0 if a cursor was given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the email. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The email with its content and timeline. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailWithContent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEmailRaw: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the email. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message in MIME format. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEmailAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the email. */
                id: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the email. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The email, waiting to be sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    simulateEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the email. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    outcome: "open" | "click" | "bounce" | "softbounce" | "complaint";
                    /** @description The link to click. Defaults to the first link in the email. */
                    link?: string;
                };
            };
        };
        responses: {
            /** @description The email after the action. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTO: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A transparent pixel. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": string;
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTC: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirects to the link's URL. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A page that says the link is invalid. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    snsWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted now or earlier. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    track: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to retry a request: if the key has already been used in the project, the response is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    event: string;
                    subscribed?: boolean;
                    /** @description Custom fields. Only the keys you send change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. At most 64 KB as JSON; all data of a contact at most 256 KB. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Recorded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            contact: string;
                            /** Format: uuid */
                            event: string;
                            /** Format: date-time */
                            timestamp: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    trackEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    event: string;
                    subscribed?: boolean;
                    /** @description Custom fields. Only the keys you send change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. At most 64 KB as JSON; all data of a contact at most 256 KB. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Recorded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            contact: string;
                            /** Format: uuid */
                            event: string;
                            /** Format: date-time */
                            timestamp: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
                /** @description Return only events with this name. */
                name?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        cursor: string | null;
                        hasMore: boolean;
                        /** @description Only on the first page; 0 if a cursor was given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEventStats: {
        parameters: {
            query?: {
                /** @description A date (UTC) or a date and time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date and time; inclusive. */
                to?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Event names and their counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        data: {
                            name: string;
                            count: number;
                            /** @description Number of distinct contacts. */
                            contacts: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEventNames: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Event names in alphabetical order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        names: string[];
                        /** @description Same as `names`. */
                        eventNames: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEventContact: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
                /** @description Return only events with this name. */
                name?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the contact. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        cursor: string | null;
                        hasMore: boolean;
                        /** @description Only on the first page; 0 if a cursor was given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEventUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                eventName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What uses the event, and how often it was recorded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        usedInSegments: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        }[];
                        usedInWorkflows: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        }[];
                        usedInCampaigns: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        }[];
                        totalCount: number;
                        uniqueContacts: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                eventName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of events deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deletedCount: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description The result of the checks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: email */
                            email: string;
                            /** @description Whether email can be delivered: the domain exists and accepts email. */
                            valid: boolean;
                            isDisposable: boolean;
                            /** @description Whether the address belongs to a forwarding service that hides the mailbox. */
                            isAlias: boolean;
                            /** @description Whether the domain looks like a typo. `reasons` contains the likely correction. */
                            isTypo: boolean;
                            isPlusAddressed: boolean;
                            /** @description Whether the provider offers mailboxes to anyone. */
                            isPersonalEmail: boolean;
                            domainExists: boolean;
                            /** @description Whether the domain, or its www subdomain, has an address record. */
                            hasWebsite: boolean;
                            hasMxRecords: boolean;
                            /** @description One sentence for each problem; empty if there is none. */
                            reasons: string[];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
                /** @description Matches part of the email address, ignoring case. */
                search?: string;
                /** @description Matches the exact email address. */
                email?: string;
                subscribed?: "true" | "false";
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"][];
                        cursor: string | null;
                        hasMore: boolean;
                        /** @description Only on the first page; 0 if a cursor was given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    subscribed?: boolean;
                    /** @description Custom fields. Only the keys you send change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. At most 64 KB as JSON; all data of a contact at most 256 KB. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Updated. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpsertedContact"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpsertedContact"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the contact. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the contact. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the contact. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email?: string;
                    subscribed?: boolean;
                    /** @description Custom fields. Only the keys you send change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. At most 64 KB as JSON; all data of a contact at most 256 KB. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookupContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    emails: string[];
                };
            };
        };
        responses: {
            /** @description The addresses as you sent them, split into two lists. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        found: string[];
                        notFound: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContactFields: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Standard fields first, then custom fields by name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fields: {
                            /** @description Standard fields by name, custom fields prefixed with `data.`. */
                            field: string;
                            /** @enum {string} */
                            type: "string" | "number" | "boolean" | "date";
                            isCustom: boolean;
                            /** @description Share of contacts that have a value for this field, from 0 to 1. */
                            coverage: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContactFieldValues: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The distinct values. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        field: string;
                        values: unknown[];
                        /** @description Number of distinct values. */
                        count: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContactFieldUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What uses the field, and how many contacts have it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        usedInSegments: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        }[];
                        usedInCampaigns: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        }[];
                        usedInWorkflows: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        }[];
                        contactCount: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteContactField: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of contacts it was removed from. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deletedFrom: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A CSV file in UTF-8, at most 5 MB, separated by commas, semicolons or tabs. The first row contains the column names. `email` is required; `subscribed` accepts true, 1, yes, false, 0 or no; every other column becomes a field of `data`.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Queued. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContactImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulkSubscribeContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contactIds: string[];
                };
            };
        };
        responses: {
            /** @description Queued. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulkUnsubscribeContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contactIds: string[];
                };
            };
        };
        responses: {
            /** @description Queued. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulkDeleteContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contactIds: string[];
                };
            };
        };
        responses: {
            /** @description Queued. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContactBulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the job. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bulk job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContactExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A CSV file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
                /** @description Matches part of the email address, ignoring case. */
                search?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of suppressions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Suppression"][];
                        cursor: string | null;
                        hasMore: boolean;
                        /** @description Only on the first page; 0 if a cursor was given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSuppression: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    /**
                     * @default MANUAL
                     * @constant
                     */
                    reason?: "MANUAL";
                };
            };
        };
        responses: {
            /** @description The address was already suppressed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            /** @description Suppressed. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSuppression: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUnsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page, even if the contact has been deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says the link is invalid. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postUnsubscribeByToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example One-Click */
                    "List-Unsubscribe"?: string;
                };
            };
        };
        responses: {
            /** @description The page, even if the contact has been deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description A page that says the link is invalid. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page, even if the contact has been deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says the link is invalid. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postSubscribeByToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @example One-Click */
                    "List-Unsubscribe"?: string;
                };
            };
        };
        responses: {
            /** @description The page, even if the contact has been deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description A page that says the link is invalid. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getManage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page, even if the contact has been deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says the link is invalid. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postManageByToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @enum {string} */
                    subscribed?: "true" | "false";
                };
            };
        };
        responses: {
            /** @description The page, even if the contact has been deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description A page that says the link is invalid. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
                type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS";
                /** @description Matches part of the name, description or subject, ignoring case. */
                search?: string;
                sort?: "name" | "createdAt" | "updatedAt";
                dir?: "asc" | "desc";
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Template"][];
                        page: number;
                        pageSize: number;
                        total: number;
                        totalPages: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    /** @description Supports Liquid. */
                    subject: string;
                    /** @description HTML; supports Liquid. */
                    body: string;
                    /**
                     * Format: email
                     * @description The domain must be verified.
                     */
                    from: string;
                    fromName?: string | null;
                    replyTo?: string | null;
                    /**
                     * @default MARKETING
                     * @enum {string}
                     */
                    type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS";
                };
            };
        };
        responses: {
            /** @description The template. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description If `from` is missing, the body is only `{error}`; otherwise an error object. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    } | components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewTemplates: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Supports Liquid. Can be empty. */
                    subject: string;
                    /** @description HTML; supports Liquid. Can be empty. */
                    body: string;
                    /** @description Custom fields. Only the keys you send change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. At most 64 KB as JSON; all data of a contact at most 256 KB. */
                    data?: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uuid
                     * @description The contact to render for. Defaults to contact@example.com.
                     */
                    contactId?: string;
                };
            };
        };
        responses: {
            /** @description The rendered email. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    /** @description Supports Liquid. */
                    subject?: string;
                    /** @description HTML; supports Liquid. */
                    body?: string;
                    /** Format: email */
                    from?: string;
                    fromName?: string | null;
                    replyTo?: string | null;
                    /** @enum {string} */
                    type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS";
                };
            };
        };
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    duplicateTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The copy. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTemplateUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaigns and workflow steps that use the template. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateUsage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
                status?: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED";
                /** @description Matches part of the name, subject or sender address, ignoring case. */
                search?: string;
                sort?: "name" | "createdAt" | "updatedAt";
                dir?: "asc" | "desc";
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of campaigns. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Campaign"][];
                        page: number;
                        pageSize: number;
                        total: number;
                        totalPages: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignInput"];
            };
        };
        responses: {
            /** @description The campaign, as a draft. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCampaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    audiencePreviewCampaigns: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    audienceType: "ALL" | "SEGMENT" | "FILTERED";
                    /** Format: uuid */
                    segmentId?: string;
                    /** @description Groups combined with `logic`. All filters of a group, and its nested `conditions`, must match. */
                    audienceCondition?: {
                        /** @enum {string} */
                        logic: "AND" | "OR";
                        groups: {
                            filters: {
                                /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                                field: string;
                                /** @description See the guide to segments for the operators of each field. */
                                operator: string;
                                /** @description The value to compare with; a positive number for operators that compare times. */
                                value?: unknown;
                                /** @enum {string} */
                                unit?: "minutes" | "hours" | "days";
                            }[];
                            /** @description A nested condition of the same shape. */
                            conditions?: Record<string, never>;
                        }[];
                    };
                    /**
                     * @default MARKETING
                     * @enum {string}
                     */
                    type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS";
                };
            };
        };
        responses: {
            /** @description The number of recipients, a sample of ten, and the number of excluded contacts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AudiencePreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignInput"];
            };
        };
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    duplicateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The copy, as a draft. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Omit to send now.
                     */
                    scheduledFor?: string;
                } | null;
            };
        };
        responses: {
            /** @description The campaign, SENDING or SCHEDULED. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign, CANCELLED. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description The test email was queued. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCampaignStats: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts, and rates from 0 to 1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignStats"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCampaignRecipients: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
                /** @description Return only emails with this status, such as FAILED. */
                status?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of recipients. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignRecipient"][];
                        cursor: string | null;
                        hasMore: boolean;
                        /** @description Only on the first page; 0 if a cursor was given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryFailedCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of emails queued again. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        retried: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
                /** @description Matches part of the name, description or event, ignoring case. */
                search?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workflows. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workflow"][];
                        page: number;
                        pageSize: number;
                        total: number;
                        totalPages: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    eventName?: string | null;
                    /** @description The event that starts the workflow. Same as `eventName` at the top level. */
                    triggerConfig?: {
                        eventName?: string | null;
                    } | null;
                    allowReentry?: boolean;
                };
            };
        };
        responses: {
            /** @description The workflow. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkflowFields: {
        parameters: {
            query?: {
                /** @description Return only fields of events with this name. */
                eventName?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Fields of contacts and of recent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fields: {
                            field: string;
                            /** @enum {string} */
                            type: "string" | "number" | "boolean" | "date";
                            /** @enum {string} */
                            category: "contact" | "event";
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importWorkflows: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    /** @description The event that starts the workflow. Same as `eventName` at the top level. */
                    triggerConfig?: {
                        eventName?: string | null;
                    } | null;
                    allowReentry?: boolean;
                    /** @constant */
                    format?: "posthorn.workflow.1";
                    /** @enum {string} */
                    triggerType?: "EVENT" | "MANUAL";
                    steps: {
                        key: string;
                        /** @enum {string} */
                        type: "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT";
                        name?: string | null;
                        config?: {
                            [key: string]: unknown;
                        };
                        position?: unknown;
                    }[];
                    transitions?: {
                        from: string;
                        to: string;
                        branch?: ("yes" | "no") | null;
                    }[];
                    /** @description Maps template ids in the document to templates of this project. */
                    templates?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description The workflow. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowWithGraph"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow with its steps and transitions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowWithGraph"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    eventName?: string | null;
                    /** @description The event that starts the workflow. Same as `eventName` at the top level. */
                    triggerConfig?: {
                        eventName?: string | null;
                    } | null;
                    allowReentry?: boolean;
                    /** @enum {string} */
                    triggerType?: "EVENT" | "MANUAL";
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description The workflow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    duplicateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The copy. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowWithGraph"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflowExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A document that can be imported again. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDocument"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkflowStep: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT";
                    name?: string | null;
                    /** @description What the step does; see the guide to workflows. */
                    config?: {
                        [key: string]: unknown;
                    };
                    templateId?: string | null;
                    /** @description Position of the step in an editor. Stored unchanged. */
                    position?: unknown;
                };
            };
        };
        responses: {
            /** @description The step. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowStep"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkflowStep: {
        parameters: {
            query?: {
                /** @description Connect the previous steps to the next step. */
                splice?: boolean;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
                /** @description Id of the step. */
                stepId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkflowStep: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
                /** @description Id of the step. */
                stepId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type?: "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT";
                    name?: string | null;
                    /** @description What the step does; see the guide to workflows. */
                    config?: {
                        [key: string]: unknown;
                    };
                    templateId?: string | null;
                    /** @description Position of the step in an editor. Stored unchanged. */
                    position?: unknown;
                };
            };
        };
        responses: {
            /** @description The step. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowStep"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkflowTransition: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    fromStepId: string;
                    /** Format: uuid */
                    toStepId: string;
                    branch?: ("yes" | "no") | null;
                    condition?: {
                        branch?: ("yes" | "no") | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The transition. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTransition"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkflowTransition: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
                /** @description Id of the transition. */
                transitionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkflowExecutions: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
                status?: "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED";
                contactId?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of executions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkflowExecution"][];
                        page: number;
                        pageSize: number;
                        total: number;
                        totalPages: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkflowExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    contactId: string;
                    /** @description Variables for the templates of the steps, such as {"coupon": "SPRING"}. At most 64 KB as JSON. */
                    context?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The execution. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowExecution"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelAllWorkflowExecutions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of executions canceled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cancelled: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflowExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
                /** @description Id of the execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution with its step runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowExecutionWithSteps"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkflowExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
                /** @description Id of the execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The canceled execution. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowExecutionWithSteps"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryWorkflowExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
                /** @description Id of the execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowExecutionWithSteps"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    simulateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    contactId: string;
                    /** @description The data of the event that starts the simulation. */
                    event?: {
                        [key: string]: unknown;
                    } | null;
                    context?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Whether the events that steps wait for occur. Defaults to true. */
                    assumeEvents?: boolean;
                };
            };
        };
        responses: {
            /** @description The simulation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowSimulation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflowWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret that signs webhooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWorkflowWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSegments: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All segments of the project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    /**
                     * @default DYNAMIC
                     * @enum {string}
                     */
                    type?: "DYNAMIC" | "STATIC";
                    /** @description Required for DYNAMIC segments, ignored for STATIC segments. */
                    condition?: {
                        /** @enum {string} */
                        logic: "AND" | "OR";
                        groups: {
                            filters: {
                                /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                                field: string;
                                /** @description See the guide to segments for the operators of each field. */
                                operator: string;
                                /** @description The value to compare with; a positive number for operators that compare times. */
                                value?: unknown;
                                /** @enum {string} */
                                unit?: "minutes" | "hours" | "days";
                            }[];
                            /** @description A nested condition of the same shape. */
                            conditions?: Record<string, never>;
                        }[];
                    };
                    /**
                     * @description Record `segment.<slug>.entry` and `segment.<slug>.exit` events when contacts enter and leave the segment.
                     * @default false
                     */
                    trackMembership?: boolean;
                };
            };
        };
        responses: {
            /** @description The segment. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            /** @description The condition of a DYNAMIC segment is missing. The body is only `{error}`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    } | components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewSegments: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Groups combined with `logic`. All filters of a group, and its nested `conditions`, must match. */
                    condition: {
                        /** @enum {string} */
                        logic: "AND" | "OR";
                        groups: {
                            filters: {
                                /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                                field: string;
                                /** @description See the guide to segments for the operators of each field. */
                                operator: string;
                                /** @description The value to compare with; a positive number for operators that compare times. */
                                value?: unknown;
                                /** @enum {string} */
                                unit?: "minutes" | "hours" | "days";
                            }[];
                            /** @description A nested condition of the same shape. */
                            conditions?: Record<string, never>;
                        }[];
                    };
                    /** @default 1 */
                    page?: number;
                    /** @default 10 */
                    pageSize?: number;
                };
            };
        };
        responses: {
            /** @description The number of matching contacts, and a page of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The segment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    condition?: {
                        /** @enum {string} */
                        logic: "AND" | "OR";
                        groups: {
                            filters: {
                                /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                                field: string;
                                /** @description See the guide to segments for the operators of each field. */
                                operator: string;
                                /** @description The value to compare with; a positive number for operators that compare times. */
                                value?: unknown;
                                /** @enum {string} */
                                unit?: "minutes" | "hours" | "days";
                            }[];
                            /** @description A nested condition of the same shape. */
                            conditions?: Record<string, never>;
                        }[];
                    } | null;
                    trackMembership?: boolean;
                };
            };
        };
        responses: {
            /** @description The segment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSegmentContacts: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"][];
                        page: number;
                        pageSize: number;
                        total: number;
                        totalPages: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSegmentMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    emails: string[];
                    /**
                     * @description Create contacts for addresses that don't exist yet.
                     * @default false
                     */
                    createMissing?: boolean;
                    /**
                     * @description Applies to the contacts that are created; existing contacts are unchanged.
                     * @default true
                     */
                    subscribed?: boolean;
                };
            };
        };
        responses: {
            /** @description The number of contacts added and created, and the addresses that were not found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        added: number;
                        created: number;
                        /** @description The addresses, as you sent them, that belong to no contact. */
                        notFound: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSegmentMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    emails: string[];
                };
            };
        };
        responses: {
            /** @description The number of contacts removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        removed: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    computeSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of contacts added, removed and in total. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        added: number;
                        removed: number;
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member count. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        memberCount: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActivity: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
                /** @description Return only these types, separated by commas. */
                types?: string;
                /** @description Return only activity of this contact. */
                contactId?: string;
                /** @description A date (UTC) or a date and time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date and time; inclusive. */
                to?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of activity. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Activity"][];
                        cursor: string | null;
                        hasMore: boolean;
                        /** @description Only on the first page; 0 if a cursor was given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActivityStats: {
        parameters: {
            query?: {
                /** @description A date (UTC) or a date and time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date and time; inclusive. */
                to?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals, and rates from 0 to 1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date */
                        from: string;
                        /** Format: date */
                        to: string;
                        totals: {
                            events: number;
                            sent: number;
                            delivered: number;
                            opened: number;
                            clicked: number;
                            /** @description Permanent bounces. */
                            bounced: number;
                            complained: number;
                        };
                        /** @description Delivered / sent. */
                        deliveryRate: number;
                        /** @description Opened / delivered, or opened / sent if the transport doesn't report deliveries. */
                        openRate: number;
                        clickRate: number;
                        /** @description Bounced / sent. */
                        bounceRate: number;
                        /** @description Complained / sent. */
                        complaintRate: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActivityRecentCount: {
        parameters: {
            query?: {
                minutes?: number;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of activities in the last minutes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        minutes: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActivityTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Event names, and the types of campaign and workflow activity. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        types: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActivityUpcoming: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Upcoming activity. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @enum {string} */
                            type: "campaign.scheduled" | "workflow.waiting";
                            /** Format: date-time */
                            at: string;
                            /** @description Name of the campaign or workflow. */
                            name: string | null;
                            campaignId: string | null;
                            workflowId: string | null;
                            executionId: string | null;
                            stepId: string | null;
                            /** @description What the execution is waiting for. */
                            awaitedEvent: string | null;
                            contact: {
                                /** Format: uuid */
                                id: string;
                                /** Format: email */
                                email: string;
                            } | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActivityStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream that stays open. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContactTimeline: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description Id of the contact. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the timeline. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TimelineItem"][];
                        cursor: string | null;
                        hasMore: boolean;
                        /** @description Only on the first page; 0 if a cursor was given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsTimeseries: {
        parameters: {
            query?: {
                /** @description A date (UTC) or a date and time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date and time; inclusive. */
                to?: string;
                interval?: "day";
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per day, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date */
                            date: string;
                            sent: number;
                            delivered: number;
                            opened: number;
                            clicked: number;
                            /** @description Permanent bounces. */
                            bounced: number;
                            complained: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAnalyticsTopCampaigns: {
        parameters: {
            query?: {
                /** @description A date (UTC) or a date and time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date and time; inclusive. */
                to?: string;
                limit?: number;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Campaigns with the most opens first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            subject: string;
                            status: string;
                            /** Format: date-time */
                            sentAt: string;
                            totalRecipients: number;
                            sentCount: number;
                            deliveredCount: number;
                            openedCount: number;
                            clickedCount: number;
                            bouncedCount: number;
                            complainedCount: number;
                            failedCount: number;
                            deliveryRate: number;
                            openRate: number;
                            clickRate: number;
                            bounceRate: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAnalyticsCampaignStats: {
        parameters: {
            query?: {
                /** @description A date (UTC) or a date and time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date and time; inclusive. */
                to?: string;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals, and rates from 0 to 1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Campaigns that started sending. */
                        campaignCount: number;
                        totalRecipients: number;
                        sentCount: number;
                        deliveredCount: number;
                        openedCount: number;
                        clickedCount: number;
                        bouncedCount: number;
                        complainedCount: number;
                        failedCount: number;
                        deliveryRate: number;
                        openRate: number;
                        clickRate: number;
                        bounceRate: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAnalyticsTopEvents: {
        parameters: {
            query?: {
                /** @description A date (UTC) or a date and time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date and time; inclusive. */
                to?: string;
                limit?: number;
            };
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The most frequent events first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            name: string;
                            count: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDomainProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verified and pending domains. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example example.com */
                    domain: string;
                    /**
                     * Format: uuid
                     * @description With a session: the project, unless the X-Project-Id header is set.
                     */
                    projectId?: string;
                };
            };
        };
        responses: {
            /** @description The domain, pending verification. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the domain. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain with its findings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExaminedDomain"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the domain. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDomainVerify: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the domain. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain after the check. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    imageUploads: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project to act on. Required with a session; an API key already determines the project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description PNG, JPEG, GIF or WebP, at most 10 MB.
                     */
                    image: string;
                };
            };
        };
        responses: {
            /** @description The URL of the image. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedImage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the image. */
                projectId: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUserMeProjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Projects you are a member of, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUserMeProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description The project with its API keys. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectWithKeys"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUserMeProjectRegenerateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project with its new API keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectWithKeys"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUserMeProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUserMeProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /**
                     * @description Whether opens and clicks are tracked for all email, for marketing email only, or not at all.
                     * @enum {string}
                     */
                    tracking?: "ENABLED" | "DISABLED" | "MARKETING_ONLY";
                    /** @description Language of public pages and email footers for contacts without a `locale`. */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetUserMeProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The name of the project. Required with a session. */
                    confirm?: string | null;
                } | null;
            };
        };
        responses: {
            /** @description All data was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetReply"];
                };
            };
            /** @description The remaining data is being deleted in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetReply"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProjectSetupState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Which setup steps are complete. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupState"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProjectSecurity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rates, thresholds and the resulting status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Security"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserMeProjectSecurity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rates, thresholds and the resulting status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Security"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUserMeProjectBillingLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Limits and usage by source for the current calendar month. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingLimits"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceUserMeProjectBillingLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    transactional?: (number | null) | {
                        /** @description Emails per calendar month (UTC). null means no limit. */
                        limit: number | null;
                    };
                    campaigns?: (number | null) | {
                        /** @description Emails per calendar month (UTC). null means no limit. */
                        limit: number | null;
                    };
                    workflows?: (number | null) | {
                        /** @description Emails per calendar month (UTC). null means no limit. */
                        limit: number | null;
                    };
                    inbound?: (number | null) | {
                        /** @description Emails per calendar month (UTC). null means no limit. */
                        limit: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description All limits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingLimits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserMeProjectBillingConsumption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage of the current month and the last twelve months. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingConsumption"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUserMeProjectBillingInvoices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoices. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingInvoices"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkoutUserMeProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URL of the checkout page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    billingPortalUserMeProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URL of the billing portal. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    stripeWebhookIncoming: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted now or earlier. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        received: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjectMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Members of the project, the owner first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createProjectMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    /**
                     * @description ADMIN or MEMBER. OWNER can't be assigned.
                     * @default MEMBER
                     * @enum {string}
                     */
                    role?: "OWNER" | "ADMIN" | "MEMBER";
                };
            };
        };
        responses: {
            /** @description The member. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProjectMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
                /** @description Id of the member. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProjectMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
                /** @description Id of the member. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description ADMIN or MEMBER. OWNER can't be assigned.
                     * @enum {string}
                     */
                    role: "OWNER" | "ADMIN" | "MEMBER";
                };
            };
        };
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjectInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Pending invitations, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createProjectInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    /**
                     * @description ADMIN or MEMBER. OWNER can't be assigned.
                     * @default MEMBER
                     * @enum {string}
                     */
                    role?: "OWNER" | "ADMIN" | "MEMBER";
                };
            };
        };
        responses: {
            /** @description The invitation. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProjectInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
                /** @description Id of the invitation. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Withdrawn. The link no longer works. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProjectAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
                /** @description Return only entries with this action. */
                act?: "project.created" | "project.changed" | "project.disabled" | "project.enabled" | "project.reset" | "project.deleted" | "keys.regenerated" | "member.added" | "member.role-changed" | "member.removed" | "invitation.made" | "invitation.withdrawn" | "invitation.accepted" | "domain.added" | "domain.removed" | "billing-limits.changed" | "two-factor.enabled" | "two-factor.disabled";
            };
            header?: never;
            path: {
                /** @description Id of the project. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of audit log entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        cursor: string | null;
                        hasMore: boolean;
                        /** @description Only on the first page; 0 if a cursor was given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signupAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    /** @description Token of an invitation sent to this address. You join its project, and the address is confirmed. */
                    invitation?: string;
                };
            };
        };
        responses: {
            /** @description The account. The session is in the `token` cookie. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: email */
                            email: string;
                            emailVerified: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    loginAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    /** @description Required if two-factor authentication is enabled: a code from the authenticator app, or a recovery code. */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description The account. The session is in the `token` cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: email */
                            email: string;
                            emailVerified: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuthLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestVerificationAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description Not required with a session.
                     */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description If the address needs to be confirmed, an email has been queued. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyEmailAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token from the link in the email. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: email */
                            email: string;
                            emailVerified: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestPasswordResetAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description If the account exists, an email has been queued. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetPasswordAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token from the link in the email. */
                    token: string;
                    password?: string;
                    /** @description Alias of `password`. */
                    newPassword?: string;
                };
            };
        };
        responses: {
            /** @description The password was changed. Sign in with the new one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePasswordAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: email */
                            email: string;
                            emailVerified: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token from the link in the email. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: email */
                        email: string;
                        /** @enum {string} */
                        role: "ADMIN" | "MEMBER";
                        projectName: string;
                        invitedBy: string | null;
                        /** @description If false, sign up first and send the token as `invitation`. */
                        hasAccount: boolean;
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token from the link in the email. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The project you joined. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        projectId: string;
                        /** @enum {string} */
                        role: "OWNER" | "ADMIN" | "MEMBER";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuthSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your sessions, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAuthSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of sessions ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ended: number;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAuthSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuthTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether two-factor authentication is enabled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        enabled: boolean;
                        recoveryCodesLeft: number;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    twoFactorAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Enter this in an authenticator app. */
                        secret: string;
                        /** @description The secret as a URI for a QR code. */
                        otpauthUrl: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmAuthTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A code from the authenticator app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Enabled. Returns ten recovery codes; store them safely. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Shown only once. Each code can be used once instead of a code from the app. */
                        recoveryCodes: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAuthTwoFactorRecoveryCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    /** @description A code from the authenticator app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Ten new recovery codes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Shown only once. Each code can be used once instead of a code from the app. */
                        recoveryCodes: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableAuthTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    /** @description A code from the authenticator app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Disabled. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuthOauthConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `oidc` is present if an OpenID Connect provider is configured. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        github: boolean;
                        google: boolean;
                        oidc?: {
                            name: string;
                        };
                    };
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuthOauth: {
        parameters: {
            query?: {
                /** @description A path on this installation to redirect to afterwards. */
                next?: string;
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirects to the provider. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            /** @description An error page: the provider could not be reached. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getAuthOauthCallback: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                error?: string;
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that asks for the two-factor code. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Signed in. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error page: the sign-in was not started in this browser, or it expired. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description An error page: this account is not allowed to sign in. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            /** @description An error page: the provider could not be reached. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    codeAuthOauth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @default  */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Signed in. */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error page: the sign-in was not started in this browser, or it expired. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The page again, because the code was incorrect. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description An error page: this account is not allowed to sign in. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            /** @description An error page: too many incorrect codes. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            500: components["responses"]["InternalError"];
            /** @description An error page: the provider could not be reached. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version and the enabled features. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: string;
                        features: {
                            signup: boolean;
                            billing: boolean;
                            oauth: {
                                github: boolean;
                                google: boolean;
                                oidc?: {
                                    name: string;
                                };
                            };
                            inbound: boolean;
                            smtp: boolean;
                            transport: string;
                        };
                        urls: {
                            api: string;
                            dashboard: string;
                        };
                    };
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        version: string;
                    };
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ready: boolean;
                        database: boolean;
                        /** @description Jobs that are due now, due later or failed, and the age of the oldest due job. */
                        queue: {
                            ready: number;
                            scheduled: number;
                            failed: number;
                            oldestReadySeconds: number;
                        } | null;
                        /** @description Components that currently fail while the rest of the service works. */
                        degraded: string[];
                    };
                };
            };
            500: components["responses"]["InternalError"];
            /** @description The database or the queue is not available. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ready: boolean;
                        database: boolean;
                        /** @description Jobs that are due now, due later or failed, and the age of the oldest due job. */
                        queue: {
                            ready: number;
                            scheduled: number;
                            failed: number;
                            oldestReadySeconds: number;
                        } | null;
                        /** @description Components that currently fail while the rest of the service works. */
                        degraded: string[];
                    } | components["schemas"]["Error"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics in the Prometheus text format. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
