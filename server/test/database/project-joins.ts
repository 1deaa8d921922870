/**
 * Finds joins between tables of projects that are not on project_id, in the tree of PostgreSQL's own parser. Columns,
 * parameters and literals are values, and an equality that must hold connects two of them. The tables that a query joins
 * must be connected by their project_id: directly, through subqueries and steps of a `with`, or through parameters.
 */
import { type Node, parse, type RangeVar, type ResTarget, type SelectStmt, type WithClause } from 'libpg-query'

/** The columns of every table, and the tables that are with a project_id. */
export interface Catalog {
  columns: Map<string, string[]>
  ofProjects: Set<string>
}

type Value = string

/** The project_id of such a table. */
interface Project {
  table: string
  value: Value
}

/** An item of a `from`, or the rows of a query. */
interface Rows {
  /** Those of a function are added when they are used. */
  columns: Map<string, Value>
  isOpen: boolean
  projects: Project[]
}

/** What a subquery is inside of: aliases that it can use, steps of a `with`, and the tables that it is joined with. */
interface Scope {
  items: Map<string, Rows>
  steps: Map<string, (scope: Scope) => Rows>
  around: Project[]
  outer: Scope | undefined
}

const TOP: Scope = { items: new Map(), steps: new Map(), around: [], outer: undefined }

/**
 * All parameters that are compared with a project_id, or inserted as one, have the same value: record-statements.ts checks
 * it whenever a test runs the statement.
 */
const PROJECT_OF_REQUEST: Value = 'the project of the request'

/** `fan-out.ts` reads that a step of a consumer has run. The number of its jobs joins nothing. */
const isReadOfConsumers = (query: Node | undefined): boolean => {
  if (!query || !('SelectStmt' in query)) return false
  const { fromClause = [], whereClause } = query.SelectStmt
  const [from] = fromClause
  return (
    fromClause.length === 1 &&
    !whereClause &&
    !!from &&
    'RangeVar' in from &&
    /_for_[a-z]+$/.test(from.RangeVar.relname!)
  )
}

/** Returns a sentence for every two tables that are joined without their project_id. */
export async function joinsAcrossProjects(statement: string, { columns, ofProjects }: Catalog): Promise<string[]> {
  const problems = new Set<string>()
  let connections = new Map<Value, Value>()
  let values = 0
  const newValue = (name: string): Value => `${name} ${++values}`

  const rootOf = (value: Value): Value => {
    const next = connections.get(value)
    return next === undefined ? value : rootOf(next)
  }
  const connect = (one: Value | undefined, other: Value | undefined): void => {
    if (one === undefined || other === undefined || rootOf(one) === rootOf(other)) return
    connections.set(rootOf(one), rootOf(other))
  }

  /** Equalities inside a condition such as `not exists (…)` don't hold outside of it. */
  const apart = (work: () => void): void => {
    const before = new Map(connections)
    work()
    connections = before
  }

  const requireConnected = (projects: Project[]): void => {
    for (const [i, one] of projects.entries())
      for (const other of projects.slice(i + 1))
        if (rootOf(one.value) !== rootOf(other.value)) problems.add(`${one.table} and ${other.table}`)
  }

  const inside = (scope: Scope): Scope => ({ items: new Map(), steps: scope.steps, around: scope.around, outer: scope })

  const columnOf = (rows: Rows, name: string): Value | undefined => {
    if (rows.isOpen && !rows.columns.has(name)) rows.columns.set(name, newValue(name))
    return rows.columns.get(name)
  }

  function findColumn(fields: string[], scope: Scope | undefined): Value | undefined {
    if (!scope) return undefined
    const [name, alias] = [fields.at(-1)!, fields.at(-2)]
    const found =
      alias === undefined
        ? [...scope.items.values()].map((rows) => rows.columns.get(name)).find((value) => value !== undefined)
        : scope.items.has(alias) && columnOf(scope.items.get(alias)!, name)
    return found || findColumn(fields, scope.outer)
  }

  /** Undefined for everything that is computed. */
  function valueFor(node: Node | undefined, scope: Scope): Value | undefined {
    if (!node) return undefined
    if ('TypeCast' in node) return valueFor(node.TypeCast.arg, scope)
    if ('ParamRef' in node) return `$${node.ParamRef.number}`
    if ('A_Const' in node) return `literal ${JSON.stringify({ ...node.A_Const, location: 0 })}`
    if ('ColumnRef' in node) return findColumn(namesIn(node.ColumnRef.fields), scope)
    if ('SubLink' in node && node.SubLink.subLinkType === 'EXPR_SUBLINK')
      return [...query(node.SubLink.subselect!, inside(scope)).columns.values()][0]
    return undefined
  }

  /** Connects what `condition` requires to be equal. */
  function connectEqual(condition: Node | undefined, scope: Scope): void {
    if (!condition) return
    if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR')
      for (const part of condition.BoolExpr.args ?? []) connectEqual(part, scope)
    if (!('A_Expr' in condition) || condition.A_Expr.kind !== 'AEXPR_OP' || namesIn(condition.A_Expr.name)[0] !== '=')
      return
    const [left, right] = [rowOf(condition.A_Expr.lexpr!), rowOf(condition.A_Expr.rexpr!)]
    for (const [i, one] of left.entries()) {
      const [a, b] = [valueFor(one, scope), valueFor(right[i], scope)]
      connect(a, b)
      if (isProjectId(one) && b?.startsWith('$')) connect(b, PROJECT_OF_REQUEST)
    }
  }

  /** Subqueries in conditions and results are joins, too. */
  function checkSubqueries(node: unknown, scope: Scope): void {
    if (Array.isArray(node)) for (const part of node) checkSubqueries(part, scope)
    else if (typeof node === 'object' && node !== null && 'SubLink' in node) {
      const { testexpr, subselect } = (node as Extract<Node, { SubLink: unknown }>).SubLink
      if (isReadOfConsumers(subselect)) return
      apart(() => {
        const rows = query(subselect!, inside(scope))
        const found = [...rows.columns.values()]
        if (testexpr) for (const [i, part] of rowOf(testexpr).entries()) connect(valueFor(part, scope), found[i])
        requireConnected([...scope.around, ...rows.projects])
      })
      checkSubqueries(testexpr, scope)
    } else if (typeof node === 'object' && node !== null) checkSubqueries(Object.values(node), scope)
  }

  /** Joins the items of a query, then checks them and the subqueries of its other parts. */
  function join(scope: Scope, projects: Project[], condition: Node | undefined, ...parts: unknown[]): void {
    connectEqual(condition, scope)
    requireConnected(projects)
    if (projects.length > 0) scope.around = projects
    checkSubqueries([condition, ...parts], scope)
  }

  function table({ relname, schemaname, alias }: RangeVar, scope: Scope): Rows {
    const step = schemaname === undefined ? scope.steps.get(relname!) : undefined
    const names = columns.get(relname!)
    const rows: Rows = step?.(scope) ?? {
      columns: new Map((schemaname === undefined ? (names ?? []) : []).map((name) => [name, newValue(name)])),
      isOpen: names === undefined || schemaname !== undefined,
      projects: [],
    }
    if (!step && schemaname === undefined && ofProjects.has(relname!)) {
      const value = rows.columns.get('project_id')
      if (value === undefined) throw new Error(`${relname} has no project_id.`)
      rows.projects.push({ table: relname!, value })
    }
    return renamed(rows, namesIn(alias?.colnames))
  }

  /** Adds an item of a `from` to the scope. Returns the tables it joins. */
  function item(node: Node, scope: Scope): Project[] {
    if ('RangeVar' in node) {
      const rows = table(node.RangeVar, scope)
      scope.items.set(node.RangeVar.alias?.aliasname ?? node.RangeVar.relname!, rows)
      return rows.projects
    }
    if ('RangeSubselect' in node) {
      const { subquery, alias } = node.RangeSubselect
      const rows = renamed(query(subquery!, inside(scope)), namesIn(alias?.colnames))
      scope.items.set(alias?.aliasname ?? newValue('subquery'), rows)
      return rows.projects
    }
    if ('RangeFunction' in node) {
      const { alias, coldeflist, functions } = node.RangeFunction
      checkSubqueries(functions, scope)
      const defined = (coldeflist ?? []).map((def) => ('ColumnDef' in def ? def.ColumnDef.colname! : ''))
      const names = [...namesIn(alias?.colnames), ...defined]
      const name = alias?.aliasname ?? newValue('function')
      const rows = new Map((names.length > 0 ? names : [name]).map((column) => [column, newValue(column)]))
      scope.items.set(name, { columns: rows, isOpen: true, projects: [] })
      return []
    }
    if (!('JoinExpr' in node)) throw new Error(`This item of a from is not supported: ${Object.keys(node)}.`)
    const { larg, rarg, usingClause, quals, isNatural, alias } = node.JoinExpr
    if (isNatural || alias) throw new Error('A natural join and a join with an alias are not supported.')
    const left = inside(scope)
    const projects = [...item(larg!, left)]
    const known = new Map(left.items)
    for (const [name, rows] of known) scope.items.set(name, rows)
    projects.push(...item(rarg!, scope))
    for (const name of namesIn(usingClause)) {
      const sides = [...scope.items].map(([alias, rows]) => [known.has(alias), rows.columns.get(name)] as const)
      const side = (isLeft: boolean) => sides.find(([inLeft, value]) => inLeft === isLeft && value !== undefined)?.[1]
      connect(side(true), side(false))
    }
    connectEqual(quals, scope)
    checkSubqueries(quals, scope)
    return projects
  }

  /** The rows that a list of results has. */
  function results(list: Node[] | undefined, scope: Scope, projects: Project[]): Rows {
    const found = new Map<string, Value>()
    const add = (name: string, value: Value | undefined) =>
      found.set(found.has(name) ? newValue(name) : name, value ?? newValue(name))
    for (const node of list ?? []) {
      const { name, val } = (node as { ResTarget: ResTarget }).ResTarget
      const fields = val && 'ColumnRef' in val ? val.ColumnRef.fields! : []
      if (fields.length > 0 && 'A_Star' in fields.at(-1)!) {
        const alias = namesIn(fields)[0]
        for (const [itemName, rows] of scope.items)
          if (alias === undefined || alias === itemName) for (const [column, value] of rows.columns) add(column, value)
      } else add(name ?? namesIn(fields).at(-1) ?? '?', valueFor(val, scope))
    }
    return { columns: found, isOpen: false, projects }
  }

  /** Steps are analyzed again for every use, because two uses of a step are different rows. */
  function withSteps(clause: WithClause | undefined, scope: Scope): Scope {
    if (!clause) return scope
    const steps = new Map(scope.steps)
    const inner = { ...scope, steps }
    for (const node of clause.ctes ?? []) {
      const { ctename, ctequery, aliascolnames } = (node as Extract<Node, { CommonTableExpr: unknown }>).CommonTableExpr
      const visible = new Map(steps)
      const rows = () => {
        const own = new Map(visible)
        // In a recursive step, its own rows have the columns of the first part.
        if (clause.recursive)
          own.set(ctename!, () =>
            renamed(query(firstPart(ctequery!), { ...TOP, steps: visible }), namesIn(aliascolnames)),
          )
        return renamed(query(ctequery!, { ...TOP, steps: own }), namesIn(aliascolnames))
      }
      steps.set(ctename!, rows)
      rows()
    }
    return inner
  }

  function select(statement: SelectStmt, outer: Scope): Rows {
    const scope = inside(withSteps(statement.withClause, outer))
    if (statement.larg && statement.rarg) {
      const [left, right] = [select(statement.larg, scope), select(statement.rarg, scope)]
      const others = [...right.columns.values()]
      for (const [i, value] of [...left.columns.values()].entries()) connect(value, others[i])
      return { ...left, projects: [...left.projects, ...right.projects] }
    }
    if (statement.valuesLists) {
      const lists = statement.valuesLists.map((list) => rowOf(list))
      checkSubqueries(statement.valuesLists, scope)
      const only = lists.length === 1 ? lists[0]! : lists[0]!.map(() => undefined)
      const found = only.map((value, i) => [`column${i + 1}`, valueFor(value, scope) ?? newValue('value')] as const)
      return { columns: new Map(found), isOpen: false, projects: [] }
    }
    const projects = (statement.fromClause ?? []).flatMap((node) => item(node, scope))
    const { targetList, havingClause, sortClause, groupClause, limitCount } = statement
    join(scope, projects, statement.whereClause, targetList, havingClause, sortClause, groupClause, limitCount)
    return results(targetList, scope, projects)
  }

  function query(node: Node, outer: Scope): Rows {
    if ('SelectStmt' in node) return select(node.SelectStmt, outer)
    if ('InsertStmt' in node) {
      const { relation, cols, selectStmt, onConflictClause, returningClause, withClause } = node.InsertStmt
      const scope = inside(withSteps(withClause, outer))
      const source = selectStmt ? query(selectStmt, scope) : undefined
      const target = table(relation!, { ...scope, steps: new Map() })
      const given = [...(source?.columns.values() ?? [])]
      for (const [i, column] of namesOfResults(cols, target).entries()) {
        connect(columnOf(target, column), given[i])
        if (column === 'project_id' && given[i]?.startsWith('$')) connect(given[i], PROJECT_OF_REQUEST)
      }
      scope.items.set(relation!.alias?.aliasname ?? relation!.relname!, target).set('excluded', target)
      join(scope, [...target.projects, ...(source?.projects ?? [])], undefined, onConflictClause, returningClause)
      scope.items.delete('excluded')
      return results(returningClause?.exprs, scope, scope.around === outer.around ? [] : [...scope.around])
    }
    if ('UpdateStmt' in node || 'DeleteStmt' in node) {
      const statement = 'UpdateStmt' in node ? node.UpdateStmt : node.DeleteStmt
      const others = 'UpdateStmt' in node ? node.UpdateStmt.fromClause : node.DeleteStmt.usingClause
      const scope = inside(withSteps(statement.withClause, outer))
      const target = table(statement.relation!, { ...scope, steps: new Map() })
      scope.items.set(statement.relation!.alias?.aliasname ?? statement.relation!.relname!, target)
      const projects = [...target.projects, ...(others ?? []).flatMap((other) => item(other, scope))]
      const set = 'UpdateStmt' in node ? node.UpdateStmt.targetList : undefined
      join(scope, projects, statement.whereClause, set, statement.returningClause)
      return results(statement.returningClause?.exprs, scope, projects)
    }
    throw new Error(`This kind of statement is not supported: ${Object.keys(node)}.`)
  }

  for (const { stmt } of (await parse(statement)).stmts ?? []) query(stmt!, TOP)
  return [...problems]
}

const namesIn = (nodes: Node[] | undefined): string[] =>
  (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval!] : []))

const rowOf = (node: Node): Node[] =>
  'RowExpr' in node ? (node.RowExpr.args ?? []) : 'List' in node ? (node.List.items ?? []) : [node]

const isProjectId = (node: Node): boolean =>
  'ColumnRef' in node && namesIn(node.ColumnRef.fields).at(-1) === 'project_id'

const namesOfResults = (cols: Node[] | undefined, target: Rows): string[] =>
  cols ? cols.map((node) => (node as { ResTarget: ResTarget }).ResTarget.name!) : [...target.columns.keys()]

const firstPart = (node: Node): Node =>
  'SelectStmt' in node && node.SelectStmt.larg ? { SelectStmt: node.SelectStmt.larg } : node

/** The columns in order get the names of an alias, as far as it has names. */
const renamed = (rows: Rows, names: string[]): Rows =>
  names.length === 0
    ? rows
    : { ...rows, columns: new Map([...rows.columns].map(([name, value], i) => [names[i] ?? name, value])) }
