/** The export of a project over HTTP. */
import { CustomResponse, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import { exportProject } from './actions.ts'

export const exportRoutes = [
  route({
    method: 'GET',
    path: '/export',
    client: 'projects.export',
    access: 'project',
    role: 'ADMIN',
    scope: 'full', // it has what every other scope reads
    onlyFor: ['document', 'empty'],
    expensive: true,
    tag: 'Projects',
    summary: 'Export everything of a project',
    description:
      'A ZIP archive with a file of JSON Lines for each kind of data: topics, suppressions, contacts, consents, segments and their members, ' +
      'layouts, saved blocks, templates, campaigns, workflows, emails and events. It is written while it is sent, so that a large project ' +
      'needs no memory. Emails are without their bodies, which `GET /emails/{id}/raw` returns. `posthorn import posthorn FILE` moves it to another project. ' +
      'The audit log records each export.',
    replies: { 200: { description: 'A ZIP archive.', contentType: 'application/zip' } },
    handle: async (ctx, { caller, facts }) =>
      new CustomResponse(200, await exportProject(ctx, caller.projectId, actorOf(caller, facts)), {
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename="project.zip"',
      }),
  }),
]
