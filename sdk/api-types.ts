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
         * Send an email to one or more recipients
         * @description Each recipient becomes a contact (not subscribed unless you say so) and gets an email of its own. The reply comes when all are safely stored; a worker sends them.
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
        /** Get an email with its content and timeline */
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
        /** Get the message as it goes over the wire */
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
         * Get one file of an email
         * @description By its place in `attachments`, from 0. Of emails that were sent and of those that arrived.
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
         * Send a failed or canceled email again
         * @description Sends the same email with the same Message-ID, starting over with the first attempt. Only for `FAILED` and `CANCELLED` emails whose content is still kept. 409 if the email was already sent or bounced, if the contact was deleted, or, for bulk email, if the contact unsubscribed or the address is suppressed.
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
         * Play the reader of a captured email
         * @description For development: makes an open, a click, a bounce or a complaint happen, with everything that follows from it. Only while mail is captured (`MAIL_URL=capture:`), else 404.
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
         * The pixel of a tracked email
         * @description Always answers with a picture. The first load is an open; scanners and prefetchers do not count.
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
         * A link of a tracked email
         * @description Leads only to the address that was in the email: it is part of the token, and signed.
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
         * @description The contact is created when it is new (subscribed unless you say otherwise). Values in `data` are stored on it.
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
         * @description The contact is created when it is new (subscribed unless you say otherwise). Values in `data` are stored on it.
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
         * Count events by name
         * @description Most frequent first. Without `from` and `to` over all time, from counts that are kept; with them the events of that time are counted.
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
        /** List the names that events have */
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
         * List the events of a contact
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
         * Tell who refers to an event
         * @description The name is percent-encoded.
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
         * Delete every event of a name
         * @description The name is percent-encoded. What refers to it remains. Names that the service records itself are refused.
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
         * Look at an email address before writing to it
         * @description Nothing is sent to it. A well-formed address is always answered with 200 within 5 seconds; when the DNS does not answer, `valid` is false and `reasons` says why.
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
         * Create or update a contact by email address
         * @description A new contact is subscribed unless you say otherwise.
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
        /** Delete a contact for good */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /**
         * Change a contact
         * @description A change of `subscribed` records contact.subscribed or contact.unsubscribed.
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
        /** Tell which addresses are contacts */
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
         * List the fields that contacts have
         * @description The type of a custom field is that of the first value ever seen. Nested objects are listed by their leaves.
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
         * List the distinct values of a field
         * @description Most frequent first. The field is named `data.plan` or `plan`, percent-encoded.
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
        /** Tell who refers to a field */
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
         * Remove a custom field from every contact
         * @description A nested object goes with all that it holds. What refers to the field remains and stops matching on it.
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
         * @description New contacts are subscribed unless the file says otherwise; known ones keep what the file does not mention.
         *
         *     The work is queued: look at `GET /contacts/import/{jobId}` for what became of it.
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
        /** Look at an import */
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
         * Subscribe many contacts
         * @description The work is queued: look at `GET /contacts/bulk/{jobId}` for what became of it.
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
         * Unsubscribe many contacts
         * @description The work is queued: look at `GET /contacts/bulk/{jobId}` for what became of it.
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
         * Delete many contacts for good
         * @description The work is queued: look at `GET /contacts/bulk/{jobId}` for what became of it.
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
        /** Look at a bulk change */
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
         * Export all contacts as CSV
         * @description Oldest first, with a column for every field. Such a file can be imported again.
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
         * @description Addresses that get no campaigns and no marketing mail, because they bounced for good, complained, or were added here. Newest first.
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Suppress an address
         * @description It need not be a contact. An address that is suppressed already keeps its reason.
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
         * Lift a suppression
         * @description The address is percent-encoded. Setting a contact `subscribed: true` by hand lifts the suppression of its address too.
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
         * Ask whether to unsubscribe
         * @description A page for the reader of an email, who needs no account. It changes nothing.
         */
        get: operations["getUnsubscribe"];
        put?: never;
        /**
         * Unsubscribe
         * @description By the button of the page, or in one click by a mail program (RFC 8058). As often as you like.
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
         * Ask whether to subscribe
         * @description A page for the reader of an email, who needs no account. It changes nothing.
         */
        get: operations["getSubscribe"];
        put?: never;
        /**
         * Subscribe
         * @description Also lifts a suppression of the address. As often as you like.
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
         * Show the state of the subscription and both choices
         * @description A page for the reader of an email, who needs no account. It changes nothing.
         */
        get: operations["getManage"];
        put?: never;
        /**
         * Choose
         * @description Without a choice it only shows the page.
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
         * @description Newest first, unless `sort` and `dir` say otherwise.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description Liquid that cannot be read is refused with its line and column.
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
         * Render a template without sending or storing anything
         * @description A template that asks for too much time or memory is refused as it would fail when sent.
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
         * @description Refused while a workflow step or a campaign that has not ended uses it.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Change a template
         * @description Only the fields sent change. null clears `description`, `fromName` and `replyTo`.
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
         * Copy a template
         * @description The copy is called as the original with " (Copy)" after it.
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
        /** List the campaigns and workflow steps that use a template */
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
         * @description Newest first, unless `sort` and `dir` say otherwise.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign
         * @description As a draft. The campaign stands at the top level of the reply and again under `data`.
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
        /** Count whom an audience would reach now */
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
         * @description While it is DRAFT or SCHEDULED. What is left out is cleared; a schedule stays.
         */
        put: operations["replaceCampaign"];
        post?: never;
        /**
         * Delete a campaign
         * @description Refused while it is SCHEDULED or SENDING. Its emails stay in the ledger.
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
        /** Copy a campaign */
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
         * Send a campaign now or at a time to come
         * @description The audience is who matches when sending starts. Everyone in it gets one email.
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
         * @description What has not left yet never leaves.
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
         * Pause a campaign that is being sent
         * @description Its status stays SENDING, with `pausedAt`. Nothing more leaves, but for what is being sent this very moment.
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
        /** Go on with a paused campaign */
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
         * Send one test email of a campaign
         * @description To any address; no contact is made and nothing is counted.
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
         * Get the numbers of a campaign
         * @description Live while it is being sent. Each email counts once, however often it was opened.
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
         * List what became of each email of a campaign
         * @description Those whose turn has not come are not listed yet; `pendingCount` of the stats counts them.
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
        /** Try the failed emails of a campaign again */
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
        /** List the fields that a CONDITION step can use */
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
         * Create a workflow from a document
         * @description Accepts what `GET /workflows/{id}/export` returns. The new workflow is disabled.
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
        /** Get a workflow with its steps and transitions */
        get: operations["getWorkflow"];
        put?: never;
        post?: never;
        /**
         * Delete a workflow
         * @description Also deletes its executions. Refused while some of them are active.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        /**
         * Change or enable a workflow
         * @description Only the fields sent change. To be enabled, a workflow needs an event that starts it (unless it is MANUAL) and exactly one first step. While it is disabled no executions start; active ones continue.
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
         * Copy a workflow
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
        /** Get a workflow as a document */
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
         * Remove a step
         * @description Also removes its transitions. Executions that wait at the step fail.
         */
        delete: operations["deleteWorkflowStep"];
        options?: never;
        head?: never;
        /**
         * Change a step
         * @description `config` is replaced as a whole. Executions that wait at the step continue with the new one.
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
        /** Remove a transition */
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
         * @description Refused while the workflow is disabled, and for a contact that can't enter it (again).
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
        /** Cancel every active execution */
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
        /** Get an execution with its step runs */
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
         * Simulate a workflow for a contact
         * @description Nothing is sent or changed. Returns the path, why each branch was taken, and the emails and requests that would be sent.
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
        /** Get the secret that signs webhooks */
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
         * Replace the secret that signs webhooks
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
         * List all segments
         * @description Newest first.
         */
        get: operations["listSegments"];
        put?: never;
        /**
         * Create a segment
         * @description A DYNAMIC segment holds whoever matches its condition, a STATIC one those you add.
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
         * Count who matches a condition, and see them page by page
         * @description Stores nothing. Ten at a time unless `pageSize` says otherwise.
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
         * @description Refused while another segment, or a campaign that has not ended, uses it.
         */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        /**
         * Change a segment
         * @description Only the fields sent change. A STATIC segment has no condition. Switching `trackMembership` off forgets the members of a DYNAMIC segment, without events.
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
         * List the contacts of a segment
         * @description Newest first. For a DYNAMIC segment those who match at this moment.
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
         * @description By address. Those who are members already stay as they are.
         */
        post: operations["createSegmentMember"];
        /**
         * Take contacts off a STATIC segment
         * @description By address. The contacts themselves stay.
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
         * Compute the members of a tracked DYNAMIC segment
         * @description Records entry and exit events. This also happens automatically within minutes.
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
         * Count the members of a segment again
         * @description Updates `memberCount` and nothing else.
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
         * List what happened
         * @description Events, campaigns and workflows in one list, newest first.
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
         * Totals and rates of some days
         * @description The last 30 days by default, at most 366. Days are UTC and counted whole.
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
        /** Count what happened in the last minutes */
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
        /** List the types of activity */
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
         * List what is about to happen
         * @description Scheduled campaigns and executions that wait until a moment, soonest first.
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
         * Watch activity as it happens
         * @description Server-sent events: `data` is an item of `GET /activity`, `id` its id. Send the last one you got as `Last-Event-ID` to get what you missed, at most 500.
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
         * List the events and emails of a contact
         * @description Newest first. An email stands where it was accepted; what became of it are events.
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
         * What became of emails, day by day
         * @description The last 30 days by default, at most 366. Each thing counts on the UTC day on which it happened; days without any are there too.
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
         * List the campaigns that most people opened
         * @description Of all that began to send, or of those that did between `from` and `to`.
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
         * Totals and mean rates of campaigns
         * @description The rates are means over campaigns: a large one counts as much as a small one.
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
         * List the most frequent events
         * @description Of the last 30 days by default, at most 366. Days are UTC and counted whole.
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
        /** List the domains of a project */
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
         * Add a sender domain
         * @description The reply lists the DNS records to set.
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
         * Get a domain, with what its DNS says about mail
         * @description Looks at SPF, DMARC and MX now, for 4 seconds at most. The state of the domain does not change.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /** Remove a domain */
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
         * Check the DNS records of a domain now
         * @description Otherwise they are checked in the background every 5 minutes. Three failed checks in a row make a verified domain pending again; a DNS that does not answer counts for nothing.
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
         * Upload an image for use in emails
         * @description Recognised by its content, whatever it is called. Camera data, comments and the like are taken out. The address in the reply is public and never changes.
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
        /** Get an uploaded image */
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
        /** List the projects you are a member of */
        get: operations["listUserMeProjects"];
        put?: never;
        /**
         * Create a project
         * @description You become its owner. The reply is the only one that shows the secret key whole.
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
         * Replace both keys
         * @description The old keys stop working at once.
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
         * @description Its keys stop working and its members lose access at once; its data is removed in the background. This cannot be undone.
         */
        delete: operations["deleteUserMeProject"];
        options?: never;
        head?: never;
        /** Change the settings of a project */
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
         * Empty a project
         * @description Removes contacts, suppressions, events, emails, templates, campaigns, segments, workflows and uploads. Keeps the project, its keys, members and domains, its usage and limits, its reputation and its audit log. A session must confirm with the name of the project. This cannot be undone.
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
        /** See what a new project has still to do */
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
         * See how the mail of a project is received
         * @description The last seven days decide the status once they hold 100 emails; before that, everything ever sent does. Only Permanent bounces count.
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
         * See how the mail of a project is received
         * @description The last seven days decide the status once they hold 100 emails; before that, everything ever sent does. Only Permanent bounces count.
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
        /** See the limits of a project, and what is used of them */
        get: operations["listUserMeProjectBillingLimits"];
        /**
         * Set the limits of a project
         * @description A source that is left out keeps its limit. What would exceed a limit is refused with 402.
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
        /** See what a project has used */
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
         * @description The last 100, newest first. Needs Stripe.
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
         * Subscribe
         * @description Answers with the address of a page of Stripe. Needs Stripe.
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
         * Change or cancel a subscription
         * @description Answers with the address of a page of Stripe. Needs Stripe.
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
        /** List the members of a project */
        get: operations["listProjectMembers"];
        put?: never;
        /**
         * Add someone who has an account
         * @description They are told by mail. For someone without an account, make an invitation.
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
         * @description Their access ends with the next request. The owner cannot be removed, and nobody removes themselves.
         */
        delete: operations["deleteProjectMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description The owner's role cannot be changed, and OWNER cannot be given.
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
        /** List open invitations */
        get: operations["listProjectInvitations"];
        put?: never;
        /**
         * Invite someone by mail
         * @description Also someone without an account. The link works for 7 days, once, for that address. A new invitation for the same address replaces the old one. At most 50 a day.
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
         * List who did what to the project
         * @description Administrative acts, newest first, kept for two years. What contacts do is in the activity.
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
         * @description A mail asks to confirm the address.
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
         * @description Five failures for one address within 15 minutes close the door for the rest of that time. Where two-factor sign-in is on, a call without `code` is refused with `TWO_FACTOR_REQUIRED`: send it again with the code.
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
         * Ask for a mail that confirms your address
         * @description For the signed-in person, or for `email`. The answer is the same whether there is such an account or not.
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
         * Confirm your address
         * @description With the token from the mail, which works for an hour, once.
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
         * Ask for a mail to set a new password
         * @description The answer is the same whether there is such an account or not. At most five mails an hour.
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
         * Set a new password
         * @description With the token from the mail, which works for an hour, once. Ends all sessions of the account.
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
         * @description Ends all sessions of the account; the reply carries a new one in the cookie `token`.
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
        /** See what an invitation is to */
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
         * @description You must be signed in with the address it was sent to. Your address is confirmed by it.
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
        /** Who is signed in */
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
        /** List where you are signed in */
        get: operations["listAuthSessions"];
        put?: never;
        post?: never;
        /** Sign out everywhere else */
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
        /** Whether two-factor sign-in is on */
        get: operations["getAuthTwoFactor"];
        put?: never;
        /**
         * Begin with two-factor sign-in
         * @description Gives a secret for an authenticator app. It is on once a code made with it is confirmed.
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
        /** Turn two-factor sign-in on */
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
         * Make new recovery codes
         * @description The old ones are dead.
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
         * Turn two-factor sign-in off
         * @description Needs both factors.
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
        /** Which sign-in providers there are */
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
         * @description Send the browser here; `github`, `google` or `oidc`. It comes back signed in.
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
        /** Where a provider sends the browser back to */
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
         * The second factor after a provider
         * @description The form of the page that asks for it. The cookie `oauth` proves that the first step was done.
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
        /** Which features this installation has */
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
        /** The process lives */
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
        /** The process can serve: database and queue answer */
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
        /** Metrics for Prometheus */
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
            /** @description The name of an event, or one of campaign.* and workflow.*. */
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
            /** @description Who would get it now. */
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
                /** @description The address of the person when they acted. */
                email: string | null;
            };
            details: {
                [key: string]: unknown;
            };
            /** @description Where the request came from. */
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
            /** @description The last twelve months, this one first. */
            history: {
                /** @example 2026-11 */
                month: string;
                transactional: number;
                campaigns: number;
                workflows: number;
                inbound: number;
                total: number;
            }[];
            /** @description As Stripe has it; null without one. */
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
                /** @description In the currency's smallest unit. */
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
                /** @description Emails in a calendar month (UTC); null for no limit. */
                limit: number | null;
                /** @description In this calendar month. */
                used: number;
            };
            campaigns: {
                /** @description Emails in a calendar month (UTC); null for no limit. */
                limit: number | null;
                /** @description In this calendar month. */
                used: number;
            };
            workflows: {
                /** @description Emails in a calendar month (UTC); null for no limit. */
                limit: number | null;
                /** @description In this calendar month. */
                used: number;
            };
            inbound: {
                /** @description Emails in a calendar month (UTC); null for no limit. */
                limit: number | null;
                /** @description In this calendar month. */
                used: number;
            };
        };
        BillingPage: {
            /**
             * Format: uri
             * @description Send the person there.
             */
            url: string;
        };
        BulkJob: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
            /** @description Percent. */
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
                /** @description Already as wished, or named twice. */
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
                        /** @description Which ones a field takes: see the guide to segments. */
                        operator: string;
                        /** @description What to compare with; a positive number for operators that count time. */
                        value?: unknown;
                        /** @enum {string} */
                        unit?: "minutes" | "hours" | "days";
                    }[];
                    /** @description A condition of this same shape. */
                    conditions?: Record<string, never>;
                }[];
            } | null;
            segmentId: string | null;
            templateId: string | null;
            scheduledFor: string | null;
            /** @description Why it did not start at its time, if it did not. */
            heldReason: string | null;
            pausedAt: string | null;
            /** @description Known exactly from the start of sending. */
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
            /** @description With Liquid. */
            subject?: string;
            /** @description HTML with Liquid. */
            body?: string;
            /**
             * Format: email
             * @description Its domain must be verified.
             */
            from?: string;
            fromName?: string | null;
            replyTo?: string | null;
            /**
             * @description MARKETING, or the template's.
             * @enum {string}
             */
            type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS";
            /** @enum {string} */
            audienceType: "ALL" | "SEGMENT" | "FILTERED";
            /** @description Groups joined by `logic`; the filters of a group, and its nested `conditions`, must all hold. */
            audienceCondition?: {
                /** @enum {string} */
                logic: "AND" | "OR";
                groups: {
                    filters: {
                        /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                        field: string;
                        /** @description Which ones a field takes: see the guide to segments. */
                        operator: string;
                        /** @description What to compare with; a positive number for operators that count time. */
                        value?: unknown;
                        /** @enum {string} */
                        unit?: "minutes" | "hours" | "days";
                    }[];
                    /** @description A condition of this same shape. */
                    conditions?: Record<string, never>;
                }[];
            };
            /** Format: uuid */
            segmentId?: string;
            /** @description Subject, body, sender and type that are not given come from it. */
            templateId?: string | null;
        };
        CampaignRecipient: {
            /**
             * Format: uuid
             * @description Of the email.
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
            /** @description Known exactly from the start of sending. */
            totalRecipients: number;
            sentCount: number;
            deliveredCount: number;
            openedCount: number;
            clickedCount: number;
            bouncedCount: number;
            failedCount: number;
            complainedCount: number;
            /** @description People who left by a link in this campaign. */
            unsubscribedCount: number;
            pendingCount: number;
            /** @description Delivered of all that left or bounced. */
            deliveryRate: number;
            /** @description Opened of the delivered. */
            openRate: number;
            /** @description Clicked of the delivered. */
            clickRate: number;
            /** @description Bounced of all that left or bounced. */
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
                        /** @description Which ones a field takes: see the guide to segments. */
                        operator: string;
                        /** @description What to compare with; a positive number for operators that count time. */
                        value?: unknown;
                        /** @enum {string} */
                        unit?: "minutes" | "hours" | "days";
                    }[];
                    /** @description A condition of this same shape. */
                    conditions?: Record<string, never>;
                }[];
            } | null;
            segmentId: string | null;
            templateId: string | null;
            scheduledFor: string | null;
            /** @description Why it did not start at its time, if it did not. */
            heldReason: string | null;
            pausedAt: string | null;
            /** @description Known exactly from the start of sending. */
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
            /** @description As rendered. */
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
            /** @description As rendered. */
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
            /** @description As rendered; null when it could not be rendered. */
            html: string | null;
            text: string | null;
            /** @description In order; the first is at `/emails/{id}/attachments/0`. Empty when no longer kept. */
            attachments: {
                filename: string;
                contentType: string;
                contentId: string | null;
                /** @enum {string} */
                disposition: "attachment" | "inline";
                /** @description In bytes. */
                size: number;
            }[];
            timeline: {
                event: string;
                /** Format: date-time */
                at: string;
                data: {
                    [key: string]: unknown;
                };
                /** @description What the other server said, or why it did not leave. */
                words?: string;
            }[];
        };
        /** @description What every refusal looks like. */
        Error: {
            /** @constant */
            success: false;
            error: {
                /**
                 * @description For machines; stable.
                 * @example VALIDATION_ERROR
                 */
                code: string;
                /** @description For people; may change. */
                message: string;
                /** @description The same as the HTTP status. */
                statusCode: number;
                /** @description The same as the `X-Request-Id` header; quote it when you ask for help. */
                requestId: string;
                /** @description Each field that is wrong, with status 422. */
                errors?: {
                    /** @description A dot path, such as `attachments.0.filename`. */
                    field: string;
                    message: string;
                    /** @description Usually `invalid_string`, `invalid_type`, `too_small`, `too_big`, `invalid_enum_value` or `custom`. */
                    code: string;
                    /** @description What came in, where it is short enough to repeat. */
                    received?: unknown;
                }[];
                /** @description Depends on the code. */
                details?: {
                    [key: string]: unknown;
                };
                /** @description What to do about it. */
                suggestion?: string;
            };
            /** @description Repeats `error.message` for older clients. */
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
            /** @description What the DNS says about mail from this domain, and what to change. */
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
            /** @description Percent. */
            progress: number;
            /** @description Why the job failed. */
            error: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @constant */
            type: "IMPORT";
            /** @description Grows while the job runs. */
            result: {
                totalRows: number;
                createdCount: number;
                updatedCount: number;
                unchangedCount: number;
                failureCount: number;
                /** @description The first 100. Row 1 is the header. */
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
            /** @description The address of the person who invited; null for a key. */
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
            /** @description The role of the caller; null for a key. */
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
            /** @description The role of the caller; null for a key. */
            role: ("OWNER" | "ADMIN" | "MEMBER") | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            public: string;
            /** @description Shown only now. Keep it on your server. */
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
            /** @description False while the rest is removed in the background. */
            complete: boolean;
        };
        Security: {
            /** @enum {string} */
            status: "healthy" | "warning" | "critical";
            isDisabled: boolean;
            disabledReason: string | null;
            sevenDay: {
                sent: number;
                /** @description Permanent ones only. */
                bounces: number;
                complaints: number;
                /** @description Between 0 and 1. */
                bounceRate: number;
                complaintRate: number;
            };
            allTime: {
                sent: number;
                /** @description Permanent ones only. */
                bounces: number;
                complaints: number;
                /** @description Between 0 and 1. */
                bounceRate: number;
                complaintRate: number;
            };
            thresholds: {
                /** @description With fewer emails nothing is judged. */
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
            /** @description null for a STATIC segment. */
            condition: {
                /** @enum {string} */
                logic: "AND" | "OR";
                groups: {
                    filters: {
                        /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                        field: string;
                        /** @description Which ones a field takes: see the guide to segments. */
                        operator: string;
                        /** @description What to compare with; a positive number for operators that count time. */
                        value?: unknown;
                        /** @enum {string} */
                        unit?: "minutes" | "hours" | "days";
                    }[];
                    /** @description A condition of this same shape. */
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
            /** @description A page of them, newest first. */
            sample: components["schemas"]["Contact"][];
        };
        Session: {
            /** Format: uuid */
            id: string;
            /** @description The session that asks. */
            current: boolean;
            ip: string | null;
            userAgent: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Exact to five minutes.
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
             * @description It bounced for good, its owner complained, or someone here decided so.
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
            /** @description With Liquid. */
            subject: string;
            /** @description HTML with Liquid. */
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
            /** @description The plain text part, made from the HTML. */
            text: string;
            /** @description Names that had no value, such as `profile.tier`. Those with a `??` or a `default` are not among them. */
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
            /** @description False: a contact enters once, ever. True: again after its previous execution has ended. */
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
            /** @description Null after the contact was erased. */
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
            /** @description Null after the contact was erased. */
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
            /** @description The same as `branch`. */
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
            /** @description False: a contact enters once, ever. True: again after its previous execution has ended. */
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
        /** @description The request cannot be understood: malformed JSON (`INVALID_REQUEST_BODY`), an unusable cursor, or a session without `X-Project-Id` (`BAD_REQUEST`). */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No key and no session (`MISSING_AUTH`), an unknown key or one of the wrong kind (`INVALID_API_KEY`), wrong credentials (`INVALID_CREDENTIALS`), or a session that is over (`UNAUTHORIZED`). */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A billing limit is reached (`BILLING_LIMIT_EXCEEDED`). */
        PaymentRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not allowed: the role does not suffice (`FORBIDDEN`), the project belongs to others (`PROJECT_ACCESS_DENIED`) or is disabled (`PROJECT_DISABLED`), or the sender domain is not verified (`INTERNAL_SERVER_ERROR`). */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such thing in this project: `RESOURCE_NOT_FOUND`, or a code that names it, such as `CONTACT_NOT_FOUND`. `details` has `resource` and `id`. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It contradicts what is already there (`CONFLICT`), or the Idempotency-Key was used before (`IDEMPOTENCY_KEY_REUSED`). */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than this endpoint takes (`PAYLOAD_TOO_LARGE`). */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Fields are missing or wrong (`VALIDATION_ERROR`); `error.errors` has each of them. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The rate limit of the project is reached (`RATE_LIMIT_EXCEEDED`). Wait for the seconds in `Retry-After`, also in `details.retryAfter`. */
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
        /** @description A fault on our side (`INTERNAL_SERVER_ERROR`); the log has the request id. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database is away (`SERVICE_UNAVAILABLE`). Try again after `Retry-After` seconds. */
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
        /** @description The project to act on. A session must send it; a key already names its project. */
        ProjectId: string;
        /** @description Makes a repeated request harmless: the second one with a key is answered 409. Belongs to the project. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names this request in the log. */
        "X-Request-Id": string;
        /** @description Requests allowed in a minute. */
        "RateLimit-Limit": number;
        /** @description Requests left in the current minute. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the current minute ends. */
        "RateLimit-Reset": number;
        /** @description Seconds to wait before the next try. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
                /** @description Makes a repeated request harmless: the second one with a key is answered 409. Belongs to the project. */
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
                     * @description Display name where `from` has none.
                     */
                    name?: string;
                    subscribed?: boolean;
                    /** @description Custom fields. Only the keys sent change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. */
                    data?: {
                        [key: string]: unknown;
                    };
                    headers?: {
                        [key: string]: string;
                    };
                    /**
                     * Format: email
                     * @description Reply-To.
                     */
                    reply?: string;
                    attachments?: {
                        filename: string;
                        content: string;
                        contentType: string;
                        /** @description Referenced in the body as cid:<contentId>. */
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
            /** @description Accepted, one entry per recipient in order */
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
                /** @description The `cursor` of the page before. */
                cursor?: string;
                contactId?: string;
                campaignId?: string;
                status?: "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "CANCELLED" | "RECEIVED";
                /** @description Part of the recipient address or the subject, in any case. */
                search?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of emails */
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
                        /** @description Filled on the first page only; 0 where a cursor was given. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The email */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The message in MIME */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The file */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The email, waiting to be sent */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description Which link is clicked. The first of the email if left out. */
                    link?: string;
                };
            };
        };
        responses: {
            /** @description The email as it is then */
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
            /** @description A transparent point */
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
            /** @description To where the link leads */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A page that says that the link is not one of ours */
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
            /** @description Accepted, now or earlier */
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
                /** @description Makes a repeated request harmless: the second one with a key is answered 409. Belongs to the project. */
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
                    /** @description Custom fields. Only the keys sent change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Recorded */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description Custom fields. Only the keys sent change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Recorded */
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
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description Only events of this name. */
                name?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
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
                        /** @description Filled on the first page only; 0 where a cursor was given. */
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
                /** @description A date (UTC) or a date with a time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date with a time; included. */
                to?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names and their counts */
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
                            /** @description How many different contacts. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In alphabetical order */
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
                        /** @description The same again. */
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
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description Only events of this name. */
                name?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description A page of events */
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
                        /** @description Filled on the first page only; 0 where a cursor was given. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                eventName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What refers to it, and how often it happened */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                eventName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many there were */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description What was found */
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
                            /** @description Mail could get there: the domain exists and takes mail. */
                            valid: boolean;
                            isDisposable: boolean;
                            /** @description Of a service that forwards to a hidden mailbox. */
                            isAlias: boolean;
                            /** @description `reasons` says what was probably meant. */
                            isTypo: boolean;
                            isPlusAddressed: boolean;
                            /** @description Of a provider that gives mailboxes to everyone. */
                            isPersonalEmail: boolean;
                            domainExists: boolean;
                            /** @description The domain, or www below it, has an address in the DNS. */
                            hasWebsite: boolean;
                            hasMxRecords: boolean;
                            /** @description Each problem in words; empty when there is none. */
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
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description Part of the email address, in any case. */
                search?: string;
                /** @description The exact email address. */
                email?: string;
                subscribed?: "true" | "false";
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts */
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
                        /** @description Filled on the first page only; 0 where a cursor was given. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description Custom fields. Only the keys sent change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Updated */
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
            /** @description Created */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The contact */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Deleted */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description Custom fields. Only the keys sent change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The contact */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Your own strings, sorted into two lists */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Standard fields first, then custom ones by name */
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
                            /** @description Standard fields plain, custom ones with `data.` before them. */
                            field: string;
                            /** @enum {string} */
                            type: "string" | "number" | "boolean" | "date";
                            isCustom: boolean;
                            /** @description Share of the contacts that have it. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values */
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
                        /** @description How many distinct values there are. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What refers to it, and how many contacts have it */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description From how many contacts */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                     * @description A CSV file in UTF-8, at most 5 MB, parted by commas, semicolons or tabs. The first row names the columns: `email` is required; `subscribed` takes true, 1, yes, false, 0 or no; every other column becomes a field of `data`.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Queued */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The job */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Queued */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Queued */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Queued */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The job */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A CSV file */
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
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description Part of the email address, in any case. */
                search?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of suppressions */
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
                        /** @description Filled on the first page only; 0 where a cursor was given. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description It was suppressed already */
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
            /** @description Suppressed */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lifted */
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
            /** @description The page, even if the contact is no longer stored */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says that the link is not one of ours */
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
            /** @description The page, even if the contact is no longer stored */
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
            /** @description A page that says that the link is not one of ours */
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
            /** @description The page, even if the contact is no longer stored */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says that the link is not one of ours */
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
            /** @description The page, even if the contact is no longer stored */
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
            /** @description A page that says that the link is not one of ours */
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
            /** @description The page, even if the contact is no longer stored */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says that the link is not one of ours */
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
            /** @description The page, even if the contact is no longer stored */
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
            /** @description A page that says that the link is not one of ours */
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
                /** @description Part of the name, description or subject, in any case. */
                search?: string;
                sort?: "name" | "createdAt" | "updatedAt";
                dir?: "asc" | "desc";
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description With Liquid. */
                    subject: string;
                    /** @description HTML with Liquid. */
                    body: string;
                    /**
                     * Format: email
                     * @description Its domain must be verified.
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
            /** @description The template */
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
            /** @description Without `from`, a bare `{error}`; else as every refusal */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description With Liquid; may still be empty. */
                    subject: string;
                    /** @description HTML with Liquid; may still be empty. */
                    body: string;
                    /** @description Custom fields. Only the keys sent change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. */
                    data?: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uuid
                     * @description Render for this contact; without it, for contact@example.com.
                     */
                    contactId?: string;
                };
            };
        };
        responses: {
            /** @description The email as it would look */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The template */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Deleted */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description With Liquid. */
                    subject?: string;
                    /** @description HTML with Liquid. */
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
            /** @description The template */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The copy */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description What uses it */
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
                /** @description Part of the name, subject or sender address, in any case. */
                search?: string;
                sort?: "name" | "createdAt" | "updatedAt";
                dir?: "asc" | "desc";
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of campaigns */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The campaign, a draft */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description Groups joined by `logic`; the filters of a group, and its nested `conditions`, must all hold. */
                    audienceCondition?: {
                        /** @enum {string} */
                        logic: "AND" | "OR";
                        groups: {
                            filters: {
                                /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                                field: string;
                                /** @description Which ones a field takes: see the guide to segments. */
                                operator: string;
                                /** @description What to compare with; a positive number for operators that count time. */
                                value?: unknown;
                                /** @enum {string} */
                                unit?: "minutes" | "hours" | "days";
                            }[];
                            /** @description A condition of this same shape. */
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
            /** @description How many, ten of them, and who is left out */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The campaign */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The campaign */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Deleted */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The copy, a draft */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                     * @description Left out: now.
                     */
                    scheduledFor?: string;
                } | null;
            };
        };
        responses: {
            /** @description The campaign, SENDING or SCHEDULED */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The campaign, CANCELLED */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The campaign */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The campaign */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description On its way */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Counts, and rates from 0 to 1 */
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
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description Only emails in this state, such as FAILED. */
                status?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description A page of recipients */
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
                        /** @description Filled on the first page only; 0 where a cursor was given. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description How many */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workflows */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description The event that starts it. The same as `eventName` at the top level. */
                    triggerConfig?: {
                        eventName?: string | null;
                    } | null;
                    allowReentry?: boolean;
                };
            };
        };
        responses: {
            /** @description The workflow */
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
                /** @description Only fields of events with this name. */
                eventName?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Fields of contacts and of recent events */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description The event that starts it. The same as `eventName` at the top level. */
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
            /** @description The workflow */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The workflow */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Deleted */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description The event that starts it. The same as `eventName` at the top level. */
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
            /** @description The workflow */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The copy */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The document */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description Where an editor shows the step. Stored as it is. */
                    position?: unknown;
                };
            };
        };
        responses: {
            /** @description The step */
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
                /** @description Connect the steps before it with the step after it. */
                splice?: boolean;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Removed */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description Where an editor shows the step. Stored as it is. */
                    position?: unknown;
                };
            };
        };
        responses: {
            /** @description The step */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The transition */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Removed */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description A page of executions */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description Variables for the templates of the steps, such as {"coupon": "SPRING"}. */
                    context?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The execution */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description How many were cancelled */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The execution */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The cancelled execution */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The execution */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description The data of the event that would start it. */
                    event?: {
                        [key: string]: unknown;
                    } | null;
                    context?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Whether the events that steps wait for arrive. Defaults to true. */
                    assumeEvents?: boolean;
                };
            };
        };
        responses: {
            /** @description The simulation */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every segment of the project */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                    /** @description Required for DYNAMIC, ignored for STATIC segments. */
                    condition?: {
                        /** @enum {string} */
                        logic: "AND" | "OR";
                        groups: {
                            filters: {
                                /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                                field: string;
                                /** @description Which ones a field takes: see the guide to segments. */
                                operator: string;
                                /** @description What to compare with; a positive number for operators that count time. */
                                value?: unknown;
                                /** @enum {string} */
                                unit?: "minutes" | "hours" | "days";
                            }[];
                            /** @description A condition of this same shape. */
                            conditions?: Record<string, never>;
                        }[];
                    };
                    /**
                     * @description Record `segment.<slug>.entry` and `.exit` events when contacts enter and leave.
                     * @default false
                     */
                    trackMembership?: boolean;
                };
            };
        };
        responses: {
            /** @description The segment */
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
            /** @description A DYNAMIC segment without a condition: a bare `{error}` */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Groups joined by `logic`; the filters of a group, and its nested `conditions`, must all hold. */
                    condition: {
                        /** @enum {string} */
                        logic: "AND" | "OR";
                        groups: {
                            filters: {
                                /** @description email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity> or segment.<id>. */
                                field: string;
                                /** @description Which ones a field takes: see the guide to segments. */
                                operator: string;
                                /** @description What to compare with; a positive number for operators that count time. */
                                value?: unknown;
                                /** @enum {string} */
                                unit?: "minutes" | "hours" | "days";
                            }[];
                            /** @description A condition of this same shape. */
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
            /** @description How many match, and a page of them */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The segment */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Deleted */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                                /** @description Which ones a field takes: see the guide to segments. */
                                operator: string;
                                /** @description What to compare with; a positive number for operators that count time. */
                                value?: unknown;
                                /** @enum {string} */
                                unit?: "minutes" | "hours" | "days";
                            }[];
                            /** @description A condition of this same shape. */
                            conditions?: Record<string, never>;
                        }[];
                    } | null;
                    trackMembership?: boolean;
                };
            };
        };
        responses: {
            /** @description The segment */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description A page of contacts */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
                     * @description Create contacts for addresses that are not known.
                     * @default false
                     */
                    createMissing?: boolean;
                    /**
                     * @description Of the contacts that are created; others keep theirs.
                     * @default true
                     */
                    subscribed?: boolean;
                };
            };
        };
        responses: {
            /** @description How many were added and created, and who is not known */
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
                        /** @description Your own strings that are no contacts. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description How many were members */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Number of contacts added, removed and in total */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description The count */
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
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description Only these types, with commas between them. */
                types?: string;
                /** @description Only what is about this contact. */
                contactId?: string;
                /** @description A date (UTC) or a date with a time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date with a time; included. */
                to?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of activity */
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
                        /** @description Filled on the first page only; 0 where a cursor was given. */
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
                /** @description A date (UTC) or a date with a time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date with a time; included. */
                to?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals, and rates from 0 to 1 */
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
                            /** @description For good. */
                            bounced: number;
                            complained: number;
                        };
                        /** @description Delivered of sent. */
                        deliveryRate: number;
                        /** @description Opened of delivered, or of sent where the transport reports no delivery. */
                        openRate: number;
                        clickRate: number;
                        /** @description Bounced of sent. */
                        bounceRate: number;
                        /** @description Complained of sent. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The count */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names of events, and those of campaigns and workflows */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What comes next */
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
                            /** @description Of the campaign or the workflow. */
                            name: string | null;
                            campaignId: string | null;
                            workflowId: string | null;
                            executionId: string | null;
                            stepId: string | null;
                            /** @description What the execution waits for until then. */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream that stays open */
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
                /** @description The `cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description A page of the timeline */
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
                        /** @description Filled on the first page only; 0 where a cursor was given. */
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
                /** @description A date (UTC) or a date with a time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date with a time; included. */
                to?: string;
                interval?: "day";
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest day first */
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
                            /** @description For good. */
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
                /** @description A date (UTC) or a date with a time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date with a time; included. */
                to?: string;
                limit?: number;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Most opened first */
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
                /** @description A date (UTC) or a date with a time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date with a time; included. */
                to?: string;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals, and rates from 0 to 1 */
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
                        /** @description Campaigns that began to send. */
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
                /** @description A date (UTC) or a date with a time. */
                from?: string;
                /** @description A date (UTC, the whole day) or a date with a time; included. */
                to?: string;
                limit?: number;
            };
            header?: {
                /** @description The project to act on. A session must send it; a key already names its project. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Most frequent first */
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
            /** @description Verified and pending domains */
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
                     * @description With a session: the project, unless X-Project-Id names it.
                     */
                    projectId?: string;
                };
            };
        };
        responses: {
            /** @description The domain, pending */
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
            /** @description The domain with findings in words */
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
            /** @description Removed */
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
            /** @description The domain after the check */
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
                /** @description The project to act on. A session must send it; a key already names its project. */
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
            /** @description Where the image is */
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
            /** @description The image */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description The caller has it already */
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
            /** @description Your projects, oldest first */
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
            /** @description The project with its two keys */
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
            /** @description The project with its new keys */
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
            /** @description Deleted */
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
                     * @description Whether opens and clicks are tracked, or only those of marketing mail.
                     * @enum {string}
                     */
                    tracking?: "ENABLED" | "DISABLED" | "MARKETING_ONLY";
                    /** @description Language of pages and footers for contacts without a `locale` of their own. */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description The project */
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
                    /** @description The name of the project. A session must send it. */
                    confirm?: string | null;
                } | null;
            };
        };
        responses: {
            /** @description Everything is gone */
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
            /** @description There was a lot; the rest is removed in the background */
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
            /** @description What is there */
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
            /** @description Rates, thresholds and what they amount to */
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
            /** @description Rates, thresholds and what they amount to */
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
            /** @description By source, for this calendar month */
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
                        /** @description Emails in a calendar month (UTC); null for no limit. */
                        limit: number | null;
                    };
                    campaigns?: (number | null) | {
                        /** @description Emails in a calendar month (UTC); null for no limit. */
                        limit: number | null;
                    };
                    workflows?: (number | null) | {
                        /** @description Emails in a calendar month (UTC); null for no limit. */
                        limit: number | null;
                    };
                    inbound?: (number | null) | {
                        /** @description Emails in a calendar month (UTC); null for no limit. */
                        limit: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description All limits */
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
            /** @description This month, and the last twelve */
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
            /** @description Invoices */
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
            /** @description Where to pay */
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
            /** @description Where to go */
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
            /** @description Accepted, now or earlier */
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
            /** @description The owner first */
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
                     * @description ADMIN or MEMBER; OWNER cannot be given.
                     * @default MEMBER
                     * @enum {string}
                     */
                    role?: "OWNER" | "ADMIN" | "MEMBER";
                };
            };
        };
        responses: {
            /** @description The member */
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
            /** @description Removed */
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
                     * @description ADMIN or MEMBER; OWNER cannot be given.
                     * @enum {string}
                     */
                    role: "OWNER" | "ADMIN" | "MEMBER";
                };
            };
        };
        responses: {
            /** @description The member */
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
            /** @description Newest first */
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
                     * @description ADMIN or MEMBER; OWNER cannot be given.
                     * @default MEMBER
                     * @enum {string}
                     */
                    role?: "OWNER" | "ADMIN" | "MEMBER";
                };
            };
        };
        responses: {
            /** @description The invitation */
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
            /** @description Withdrawn; the link is dead */
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
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description Only this act. */
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
            /** @description A page of acts */
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
                        /** @description Filled on the first page only; 0 where a cursor was given. */
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
                    /** @description The token of an invitation to this address: you join its project, and the address is confirmed. */
                    invitation?: string;
                };
            };
        };
        responses: {
            /** @description The account; the session is in the cookie `token` */
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
                    /** @description Needed where two-factor sign-in is on: the code, or a recovery code. */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description The account; the session is in the cookie `token` */
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
            /** @description The session is over */
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
                     * @description Not needed with a session.
                     */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description If there is something to confirm, a mail is on its way */
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
                    /** @description From the link in the mail. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The account */
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
            /** @description If there is such an account, a mail is on its way */
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
                    /** @description From the link in the mail. */
                    token: string;
                    password?: string;
                    /** @description Another name for `password`. */
                    newPassword?: string;
                };
            };
        };
        responses: {
            /** @description Sign in with the new password */
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
            /** @description The account */
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
                    /** @description From the link in the mail. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The invitation */
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
                        /** @description False: sign up first, with the token as `invitation`. */
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
                    /** @description From the link in the mail. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The project you are in now */
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
            /** @description The account */
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
            /** @description Newest first */
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
            /** @description How many sessions ended */
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
            /** @description Ended */
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
            /** @description Its state */
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
            /** @description The secret */
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
                        /** @description To type into an authenticator app. */
                        secret: string;
                        /** @description The same as an address for a QR code. */
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
                    /** @description The code of the authenticator app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description It is on; ten recovery codes to keep */
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
                        /** @description Shown only now. Each works once, in place of a code. */
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
                    /** @description The code of the authenticator app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Ten new ones */
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
                        /** @description Shown only now. Each works once, in place of a code. */
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
                    /** @description The code of the authenticator app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description It is off */
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
            /** @description `oidc` is there when one is configured */
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
                /** @description A path of ours to go to afterwards. */
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
            /** @description To the provider */
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
            /** @description A page: the provider could not be asked */
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
            /** @description A page that asks for the second factor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Signed in */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A page: the answer was not one we asked for, or too old */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page: this account may not come in */
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
            /** @description A page: the provider could not be asked */
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
            /** @description Signed in */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A page: the answer was not one we asked for, or too old */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The page again: the code was wrong */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page: this account may not come in */
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
            /** @description A page: too many wrong codes */
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
            /** @description A page: the provider could not be asked */
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
            /** @description Version and features */
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
            /** @description It does */
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
            /** @description Ready */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ready: boolean;
                        database: boolean;
                        /** @description Jobs due now, due later, given up, and how long the oldest has been due. */
                        queue: {
                            ready: number;
                            scheduled: number;
                            failed: number;
                            oldestReadySeconds: number;
                        } | null;
                        /** @description What does not work as it should while the rest does, in words. */
                        degraded: string[];
                    };
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Not ready */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ready: boolean;
                        database: boolean;
                        /** @description Jobs due now, due later, given up, and how long the oldest has been due. */
                        queue: {
                            ready: number;
                            scheduled: number;
                            failed: number;
                            oldestReadySeconds: number;
                        } | null;
                        /** @description What does not work as it should while the rest does, in words. */
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
            /** @description Text in the Prometheus format */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
