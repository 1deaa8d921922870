/** Sender domains over HTTP. */
import { z } from 'zod'
import { badRequest, invalidField } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { idOf, type Route, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import {
  addDomain,
  changeDomain,
  deleteDomain,
  findProjectOfDomain,
  getDomain,
  listDomainPage,
  listDomains,
  verifyDomain,
} from './actions.ts'
import { Domain, DomainChanges, DomainPage, DomainQuery, ExaminedDomain, NewDomain } from './schemas.ts'

const projectInBody: Route['findProject'] = async (_ctx, { body }) => {
  const { projectId } = (body ?? {}) as { projectId?: unknown }
  if (projectId === undefined) throw badRequest('Specify the project in the X-Project-Id header or as projectId.')
  if (typeof projectId !== 'string' || !isId(projectId)) {
    throw invalidField('projectId', 'Must be a project ID.', 'invalid_string')
  }
  return projectId
}

const projectOfDomain: Route['findProject'] = (ctx, { params, userId }) =>
  findProjectOfDomain(ctx, userId, params.id ?? '')

export const domainRoutes = [
  route({
    method: 'GET',
    path: '/domains/project/{projectId}',
    client: 'domains.list',
    access: 'own-project',
    tag: 'Domains',
    summary: 'List domains',
    params: { projectId: idOf('project') },
    replies: { 200: { description: 'Verified and pending domains.', schema: z.array(Domain) } },
    handle: (ctx, { caller }) => listDomains(ctx, caller.projectId),
  }),
  route({
    method: 'GET',
    path: '/domains',
    client: 'domains.page',
    access: 'project',
    tag: 'Domains',
    summary: 'List domains of the project',
    description: 'Newest first. With a key, this needs no project ID.',
    query: DomainQuery,
    replies: { 200: { description: 'A page of domains.', schema: DomainPage } },
    handle: (ctx, { caller, query }) => listDomainPage(ctx, caller.projectId, query),
  }),
  route({
    method: 'POST',
    path: '/domains',
    client: 'domains.create',
    access: 'own-project',
    role: 'ADMIN',
    findProject: projectInBody,
    tag: 'Domains',
    summary: 'Add a domain',
    description: 'The response lists the DNS records to set.',
    body: NewDomain,
    example: { domain: 'mail.example.com' },
    replies: { 201: { description: 'The domain, pending verification.', schema: Domain } },
    refusals: [404, 409],
    handle: (ctx, { caller, body, facts }) => addDomain(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    method: 'GET',
    path: '/domains/{id}',
    client: 'domains.get',
    access: 'own-project',
    findProject: projectOfDomain,
    tag: 'Domains',
    summary: 'Get a domain',
    description:
      "Includes findings about the domain's SPF, DMARC and MX records, which are looked up for at most 4 seconds. The verification status doesn't change.",
    params: { id: idOf('domain') },
    replies: { 200: { description: 'The domain with its findings.', schema: ExaminedDomain } },
    handle: (ctx, { caller, params }) => getDomain(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'GET',
    path: '/domains/{id}/verify',
    client: 'domains.verify',
    access: 'own-project',
    onlyFor: ['empty'],
    findProject: projectOfDomain,
    tag: 'Domains',
    summary: 'Verify a domain',
    description:
      'Checks the DNS records now. They are also checked in the background every 5 minutes. A verified domain becomes pending after three failed checks in a row; checks that fail because DNS is unavailable do not count.',
    params: { id: idOf('domain') },
    replies: { 200: { description: 'The domain after the check.', schema: Domain } },
    handle: (ctx, { caller, params }) => verifyDomain(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/domains/{id}',
    client: 'domains.update',
    access: 'own-project',
    role: 'ADMIN',
    findProject: projectOfDomain,
    strict: true,
    tag: 'Domains',
    summary: 'Change a domain',
    description:
      'Sets, changes or ends the warm-up, and adds or deletes the Ed25519 key. Marketing email that waits is sent or waits again by a new plan. Transactional email is never held back.',
    params: { id: idOf('domain') },
    body: DomainChanges,
    example: { warmUp: { startedOn: '2026-12-01', perDay: 50, growth: 1.5 } },
    replies: { 200: { description: 'The domain.', schema: Domain } },
    refusals: [409],
    handle: (ctx, { caller, params, body, facts }) =>
      changeDomain(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    method: 'DELETE',
    path: '/domains/{id}',
    client: 'domains.delete',
    access: 'own-project',
    role: 'ADMIN',
    findProject: projectOfDomain,
    tag: 'Domains',
    summary: 'Delete a domain',
    params: { id: idOf('domain') },
    replies: { 204: { description: 'Deleted.' } },
    handle: (ctx, { caller, params, facts }) => deleteDomain(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
]
