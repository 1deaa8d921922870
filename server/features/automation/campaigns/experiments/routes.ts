/** Experiments over HTTP. */
import { idOf, route } from '../../../../platform/http/route.ts'
import { actorOf } from '../../../record/audit/actions.ts'
import { chooseWinner, deleteExperiment, getExperiment, setExperiment } from './actions.ts'
import { Experiment, ExperimentInput, WinnerChoice } from './schemas.ts'

const one = { access: 'project', tag: 'Campaigns', params: { id: idOf('campaign') } } as const

export const experimentRoutes = [
  route({
    ...one,
    method: 'PUT',
    path: '/campaigns/{id}/experiment',
    client: 'campaigns.setExperiment',
    summary: 'Set the experiment of a campaign',
    description:
      'Part of the audience receives the variants, divided equally and at random; the rest receives the winner. Only possible while the campaign is DRAFT or SCHEDULED. The test needs 100 recipients, which is checked when the campaign is sent.',
    strict: true,
    body: ExperimentInput,
    example: {
      variants: [
        { name: 'A', subject: 'Our autumn collection is here' },
        { name: 'B', subject: '{{firstName}}, take a look at autumn' },
      ],
      share: 20,
      metric: 'opens',
      waitMinutes: 240,
      winner: 'automatic',
    },
    replies: { 200: { description: 'The experiment.', schema: Experiment } },
    refusals: [403, 409],
    handle: (ctx, { caller, params, body, facts }) =>
      setExperiment(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/campaigns/{id}/experiment',
    client: 'campaigns.experiment',
    summary: 'Get the experiment of a campaign',
    description: 'With the results of each variant. A campaign without an experiment returns 404.',
    replies: { 200: { description: 'The experiment.', schema: Experiment } },
    handle: (ctx, { caller, params }) => getExperiment(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/campaigns/{id}/experiment',
    client: 'campaigns.deleteExperiment',
    summary: 'Delete the experiment of a campaign',
    description: 'Only possible while the campaign is DRAFT or SCHEDULED.',
    replies: { 204: { description: 'Deleted.' } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      deleteExperiment(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/experiment/winner',
    client: 'campaigns.chooseWinner',
    summary: 'Choose the winner of an experiment',
    description:
      'The rest of the audience receives this variant, from now on. Before the test has started and after a winner was chosen, this returns 409.',
    strict: true,
    body: WinnerChoice,
    example: { variant: 'B' },
    replies: { 200: { description: 'The experiment with its winner.', schema: Experiment } },
    refusals: [409],
    handle: (ctx, { caller, params, body, facts }) =>
      chooseWinner(ctx, caller.projectId, params.id, body.variant, actorOf(caller, facts)),
  }),
]
