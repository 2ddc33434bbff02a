{{/* Variables of the container: what the chart decides. They override the settings files. */}}
{{- define "tessera.environment" -}}
env:
  - name: PROFILES_ACTIVE
    value: {{ .root.Values.profiles | quote }}
  - name: SETTINGS_LOCATION
    value: /etc/tessera/settings
  {{- if .hasCredentials }}
  - name: CREDENTIALS_DIRECTORY
    value: /etc/tessera/credentials
  {{- end }}
  {{- if eq .component.name "sso" }}
  - name: SSO_BASE_URL
    value: {{ .component.baseUrl | quote }}
  {{- else }}
  - name: CONFIG_SERVER_GIT_CLONE_DIRECTORY
    value: /tmp/config-git
  {{- end }}
  - name: {{ .component.prefix }}_HOST
    value: {{ .root.Values.listenAddress | quote }}
  - name: {{ .component.prefix }}_PORT
    value: {{ .component.port | quote }}
  {{- if .component.tls.existingSecret }}
  - name: {{ .component.prefix }}_TLS_CERTIFICATE_FILE
    value: /etc/tessera/tls/tls.crt
  - name: {{ .component.prefix }}_TLS_KEY_FILE
    value: /etc/tessera/tls/tls.key
  {{- end }}
  - name: SERVER_DRAIN_TIME
    value: {{ printf "%vs" .root.Values.drainSeconds | quote }}
  - name: MANAGEMENT_PORT
    value: {{ .component.managementPort | quote }}
  {{- if .root.Values.metrics.enabled }}
  - name: MANAGEMENT_HOST
    value: {{ .root.Values.listenAddress | quote }}
  - name: MANAGEMENT_METRICS_ALLOWED_ADDRESSES
    value: {{ join "," .root.Values.metrics.allowedAddresses | quote }}
  {{- end }}
  {{- with .component.env }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "tessera.probe" -}}
httpGet:
  path: {{ .component.contextPath }}/health/{{ .check }}
  port: http
  {{- if .component.tls.existingSecret }}
  scheme: HTTPS
  {{- end }}
# Readiness answers within 2 s.
timeoutSeconds: 3
{{- end -}}

{{- define "tessera.mounts" -}}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: settings
    mountPath: /etc/tessera/settings
    readOnly: true
  {{- if .hasCredentials }}
  - name: credentials
    mountPath: /etc/tessera/credentials
    readOnly: true
  {{- end }}
  {{- if .component.tls.existingSecret }}
  - name: tls
    mountPath: /etc/tessera/tls
    readOnly: true
  {{- end }}
  {{- with .component.volumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* The files of credentials are named for settings: see "Credentials" in docs/protected-settings.md. */}}
{{- define "tessera.volumes" -}}
volumes:
  - name: tmp
    emptyDir: {}
  - name: settings
    configMap:
      name: {{ .component.fullname }}
  {{- if .hasCredentials }}
  - name: credentials
    projected:
      # 0440
      defaultMode: 288
      sources:
        {{- with .component.existingSecret }}
        - secret:
            name: {{ . }}
        {{- end }}
        {{- with .component.database }}
        {{- if .existingSecret }}
        - secret:
            name: {{ .existingSecret }}
            items:
              - key: {{ .key }}
                path: database.url
        {{- end }}
        {{- end }}
  {{- end }}
  {{- with .component.tls.existingSecret }}
  - name: tls
    secret:
      secretName: {{ . }}
      # 0440
      defaultMode: 288
  {{- end }}
  {{- with .component.volumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
