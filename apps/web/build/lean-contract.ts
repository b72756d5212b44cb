import { parseAst, type Plugin } from 'vite'

const contractModule = /\/packages\/contract\/src\/[\w/-]+\.ts$/

/** What only the server reads of a callable: it writes and checks the answers, and describes the calls. */
const ofServer: ReadonlySet<string> = new Set(['output', 'summary'])
/** What only the server reads of a live document's rule: it decides who may read and write, and checks what is written. */
const ofServerInRules: ReadonlySet<string> = new Set(['read', 'write', 'writableFields', 'data', 'maxBytes'])
/** The constant that holds those rules (`packages/contract/src/live/live-paths.ts`). */
const rulesName = 'livePaths'

/**
 * Leaves out of the browser what only the server needs of the contract: the shapes of answers, the sentences of the API description, and
 * who may read and write live documents.
 * The types stay, since only the built code is changed.
 */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: contractModule },
      handler: (code) => ({ code: leanModule(code), map: null }),
    },
  }
}

type Statement = ReturnType<typeof parseAst>['body'][number]
type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']

interface Place {
  readonly start: number
  readonly end: number
}

/**
 * One module of the contract for the browser. Two rules, both about constants of the module and nothing else:
 * - `callable({ … })` and the rules of live documents lose what only the server reads;
 * - a constant that is made by calls, itself or inside of an object, is made only where something uses it: making it changes nothing
 *   elsewhere, which the bundler cannot know of a call. Statements that are no constants, such as the configuration of the schema
 *   library, stay as they are.
 */
export function leanModule(code: string): string {
  const { body } = parseAst(code, { lang: 'ts' })
  const values = body.flatMap((statement) => valuesOf(statement, code))
  const edits = values.flatMap(({ name, value, whole }) => [
    { at: whole.start, until: whole.start, text: '/* @__PURE__ */ (() => (' },
    ...serverProperties(name, value).map(({ start, end }) => ({ at: start, until: afterComma(code, end), text: '' })),
    { at: whole.end, until: whole.end, text: '))()' },
  ])
  return edits
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, until, text: put }) => text.slice(0, at) + put + text.slice(until), code)
}

interface Constant {
  readonly name: string
  readonly value: Expression
  /** The value with its type annotation. */
  readonly whole: Place
}

/** Constants of the module whose values are calls, or objects that may have some in them. */
function valuesOf(statement: Statement, code: string): Constant[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return []
  return declaration.declarations.flatMap(({ id, init }) => {
    if (!init || id.type !== 'Identifier') return []
    const value = withoutTypes(init)
    const isMade = value.type === 'ObjectExpression' && /\(|\.\.\./.test(code.slice(value.start, value.end))
    return value.type === 'CallExpression' || isMade || id.name === rulesName
      ? [{ name: id.name, value, whole: init }]
      : []
  })
}

/** `value as T satisfies U` → `value`. */
const withoutTypes = (value: Expression): Expression =>
  value.type === 'TSAsExpression' || value.type === 'TSSatisfiesExpression' ? withoutTypes(value.expression) : value

function serverProperties(name: string, value: Expression): Place[] {
  if (name === rulesName) return propertiesOf(value).flatMap((rule) => propertiesOf(rule.value, ofServerInRules))
  if (value.type !== 'CallExpression' || value.callee.type !== 'Identifier' || value.callee.name !== 'callable')
    return []
  const [definition] = value.arguments
  if (definition?.type !== 'ObjectExpression')
    throw new Error('A callable is defined by an object that is written out.')
  return propertiesOf(definition, ofServer)
}

/** Properties of an object that is written out; those of these names. */
const propertiesOf = (value: Expression, names?: ReadonlySet<string>) =>
  value.type !== 'ObjectExpression'
    ? []
    : value.properties.flatMap((property) =>
        property.type === 'Property' && (!names || (property.key.type === 'Identifier' && names.has(property.key.name)))
          ? [property]
          : [],
      )

const afterComma = (code: string, end: number): number => end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0)
