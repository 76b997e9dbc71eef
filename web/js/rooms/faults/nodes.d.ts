/** What of scenario.schema.json the forms read: `make` writes the file, and a test of the site checks it. */
export interface Schema extends Node {
  'x-headings': string[];
  'x-sections': string[];
  $defs: { [type: string]: Node; Action: Node & { allOf: ActNode[] } };
}
export interface Node {
  properties?: Record<string, Node>;
  required?: string[];
  allOf?: ActNode[];
  description?: string;
  const?: unknown;
  type?: string;
  enum?: string[];
  $ref?: string;
  anyOf?: Node[];
  items?: Node;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  'x-name'?: string;
  'x-heading'?: string;
  'x-default'?: string;
  'x-effect'?: '' | 'now' | 'start';
  'x-lines'?: boolean;
  'x-words'?: Record<string, string>;
}
/** The rule of an act: what it takes. */
export interface ActNode {
  if: { properties: { act: { const: string } } };
  then: {
    'x-name'?: string;
    'x-short'?: string;
    'x-sentence'?: string;
    'x-section': string;
    description?: string;
    propertyNames: { enum: string[] };
    required?: string[];
    anyOf?: { required: string[] }[];
  };
}
