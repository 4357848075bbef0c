/** The languages whose definitions are known: by file name, with the node types of their grammars. */

export interface Language {
  /** Name of the grammar, as in `tree-sitter-NAME.wasm`. */
  readonly grammar: string;
  /** Node types that define something by a field `name`, by kind. */
  readonly named: { readonly [kind: string]: string };
  /** More patterns in the query language of tree-sitter: a capture named by its kind around one named `name`. */
  readonly patterns?: string;
}

const functions = 'function_declaration generator_function_declaration';
/** Values at the top of a file: what other files can use. */
const topLevel = (declaration: string): string => `
  (program (${declaration} (variable_declarator name: (identifier) @name) @const))
  (program (export_statement (${declaration} (variable_declarator name: (identifier) @name) @const)))`;

/** What scripts and CommonJS modules define: `exports.f = () => …`, `module.exports.C = class …`, `C.prototype.f = function …`. */
const assigned = (value: string, kind: string): string => `
  (program (expression_statement (assignment_expression
    left: (member_expression property: (property_identifier) @name) right: (${value})) @${kind}))`;

/** `module.exports = { f: () => … }`. */
const listed = (value: string): string => `
  (program (expression_statement (assignment_expression
    right: (object (pair key: (property_identifier) @name value: (${value})) @method))))`;

const javascript: Language = {
  grammar: 'javascript',
  named: { function: functions, class: 'class_declaration', method: 'method_definition' },
  patterns: [
    topLevel('lexical_declaration'),
    topLevel('variable_declaration'),
    assigned('function_expression', 'function'),
    assigned('generator_function', 'function'),
    assigned('arrow_function', 'function'),
    assigned('class', 'class'),
    listed('function_expression'),
    listed('arrow_function'),
  ].join('\n'),
};
const typescript: Language = {
  grammar: 'typescript',
  named: {
    function: `${functions} function_signature`,
    class: 'class_declaration abstract_class_declaration',
    interface: 'interface_declaration',
    type: 'type_alias_declaration',
    enum: 'enum_declaration',
    namespace: 'internal_module module',
    method: 'method_definition abstract_method_signature',
  },
  patterns: topLevel('lexical_declaration'),
};
/** In C the name stands below pointers and parameter lists. */
const declared = (node: string, kind: string): string =>
  [
    '(function_declarator declarator: (_) @name)',
    '(pointer_declarator declarator: (function_declarator declarator: (_) @name))',
    '(reference_declarator (function_declarator declarator: (_) @name))',
  ]
    .map((declarator) => `(${node} declarator: ${declarator}) @${kind}`)
    .join('\n');
const cpp: Language = {
  grammar: 'cpp',
  named: { macro: 'preproc_function_def', namespace: 'namespace_definition', type: 'alias_declaration' },
  patterns: `
    ${declared('function_definition', 'function')}
    ${declared('field_declaration', 'method')}
    (class_specifier name: (_) @name body: (_)) @class
    (struct_specifier name: (_) @name body: (_)) @struct
    (union_specifier name: (_) @name body: (_)) @union
    (enum_specifier name: (_) @name body: (_)) @enum
    (type_definition declarator: (type_identifier) @name) @type`,
};

const byGrammar: readonly (readonly [extensions: string, language: Language])[] = [
  ['ts mts cts', typescript],
  ['tsx', { ...typescript, grammar: 'tsx' }],
  ['js mjs cjs jsx', javascript],
  ['py pyi', { grammar: 'python', named: { function: 'function_definition', class: 'class_definition' } }],
  [
    'go',
    {
      grammar: 'go',
      named: { function: 'function_declaration', method: 'method_declaration', type: 'type_spec type_alias' },
      patterns: '(source_file (const_declaration (const_spec name: (identifier) @name) @const))',
    },
  ],
  [
    'rs',
    {
      grammar: 'rust',
      named: {
        function: 'function_item function_signature_item',
        struct: 'struct_item',
        enum: 'enum_item',
        union: 'union_item',
        trait: 'trait_item',
        type: 'type_item',
        module: 'mod_item',
        macro: 'macro_definition',
        const: 'const_item static_item',
      },
    },
  ],
  [
    'java',
    {
      grammar: 'java',
      named: {
        class: 'class_declaration',
        interface: 'interface_declaration annotation_type_declaration',
        enum: 'enum_declaration',
        record: 'record_declaration',
        method: 'method_declaration constructor_declaration',
      },
    },
  ],
  ['c h cc cpp cxx hh hpp hxx', cpp],
  [
    'cs',
    {
      grammar: 'c-sharp',
      named: {
        class: 'class_declaration',
        struct: 'struct_declaration',
        interface: 'interface_declaration',
        enum: 'enum_declaration',
        record: 'record_declaration',
        delegate: 'delegate_declaration',
        method: 'method_declaration constructor_declaration',
        property: 'property_declaration',
        namespace: 'namespace_declaration',
      },
    },
  ],
  ['rb rake', { grammar: 'ruby', named: { method: 'method singleton_method', class: 'class', module: 'module' } }],
  [
    'php',
    {
      grammar: 'php',
      named: {
        function: 'function_definition',
        class: 'class_declaration',
        interface: 'interface_declaration',
        trait: 'trait_declaration',
        enum: 'enum_declaration',
        method: 'method_declaration',
      },
    },
  ],
  ['sh bash', { grammar: 'bash', named: { function: 'function_definition' } }],
];

const byExtension: ReadonlyMap<string, Language> = new Map(
  byGrammar.flatMap(([extensions, language]) => extensions.split(' ').map((one) => [one, language] as const)),
);

/** The endings of supported files, for whoever has to be told. */
export const supported: readonly string[] = [...byExtension.keys()];

export function languageOf(path: string): Language | null {
  const dot = path.lastIndexOf('.');
  return dot < 0 ? null : (byExtension.get(path.slice(dot + 1).toLowerCase()) ?? null);
}

/** The query that finds every definition of a language. */
export const definitionQuery = ({ named, patterns = '' }: Language): string =>
  [
    ...Object.entries(named).flatMap(([kind, types]) =>
      types.split(' ').map((type) => `(${type} name: (_) @name) @${kind}`),
    ),
    patterns,
  ].join('\n');
