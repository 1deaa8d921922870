/** Topics and the choices of contacts over HTTP. */
import { causeOf } from '../../../kernel/consent/cause.ts'
import { idOf, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import * as actions from './actions.ts'
import * as schemas from './schemas.ts'

const common = { access: 'project', tag: 'Topics' } as const
const one = { ...common, params: { id: idOf('topic') } } as const
const ofContact = { access: 'project', tag: 'Contacts', params: { id: idOf('contact') } } as const

export const topicRoutes = [
  route({
    ...common,
    method: 'GET',
    path: '/topics',
    client: 'topics.list',
    expensive: true,
    replica: true,
    summary: 'List topics',
    description: 'By position, and newest first if it is the same.',
    query: schemas.TopicQuery,
    replies: { 200: { description: 'A page of topics.', schema: schemas.TopicPage } },
    refusals: [400],
    handle: (ctx, { caller, query }) => actions.listTopics(ctx, caller.projectId, query),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/topics',
    client: 'topics.create',
    strict: true,
    summary: 'Create a topic',
    description: 'Returns 409 if the key is taken, or if the project has 50 topics.',
    body: schemas.NewTopic,
    example: { key: 'product-news', name: 'Product news', description: 'New features, once a month.' },
    replies: { 201: { description: 'The topic.', schema: schemas.Topic } },
    refusals: [409],
    handle: (ctx, { caller, body, facts }) => actions.createTopic(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/topics/{id}',
    client: 'topics.get',
    summary: 'Get a topic',
    replies: { 200: { description: 'The topic.', schema: schemas.Topic } },
    handle: (ctx, { caller, params }) => actions.getTopic(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/topics/{id}',
    client: 'topics.update',
    strict: true,
    summary: 'Update a topic',
    description: 'The key stays. Changing `defaultSubscribed` affects the contacts who made no choice about the topic.',
    body: schemas.TopicChanges,
    example: { name: 'News about the product', position: 1 },
    replies: { 200: { description: 'The topic.', schema: schemas.Topic } },
    handle: (ctx, { caller, params, body, facts }) =>
      actions.changeTopic(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/topics/{id}',
    client: 'topics.delete',
    summary: 'Delete a topic',
    description:
      'Also deletes what contacts chose. Returns 409 with `details.usedBy` while a template, an unfinished campaign, a segment or a workflow uses the topic.',
    replies: { 204: { description: 'Deleted.' } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      actions.deleteTopic(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...ofContact,
    method: 'GET',
    path: '/contacts/{id}/topics',
    client: 'contacts.topics',
    summary: 'List the topics of a contact',
    description: 'Every topic, with what the contact chose or its default.',
    replies: { 200: { description: 'The topics.', schema: schemas.ContactTopics } },
    handle: (ctx, { caller, params }) => actions.getContactTopics(ctx, caller.projectId, params.id),
  }),
  route({
    ...ofContact,
    method: 'PUT',
    path: '/contacts/{id}/topics',
    client: 'contacts.setTopics',
    strict: true,
    summary: 'Change the topics of a contact',
    description:
      'Changes only the topics that it names, and records a topic.subscribed or topic.unsubscribed event for each change.',
    body: schemas.ContactTopicChanges,
    example: { topics: { events: true } },
    replies: { 200: { description: 'The topics.', schema: schemas.ContactTopics } },
    handle: (ctx, { caller, params, body, facts }) =>
      actions.changeContactTopics(ctx, caller.projectId, params.id, body.topics, causeOf({ caller, facts })),
  }),
]
