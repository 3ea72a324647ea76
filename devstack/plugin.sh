# DevStack plugin: gives DevStack's Nova the volume operations patch series.
# This only dispatches; the work is in lib/nova-volops.

# Save trace setting
_XTRACE_NOVA_VOLOPS_PLUGIN=$(set +o | grep xtrace)
set +o xtrace

source "$NOVA_VOLOPS_DIR/devstack/lib/nova-volops"

if is_service_enabled nova; then
    if [[ "$1" == "stack" && "$2" == "install" ]]; then
        # Nova is installed by now, its databases are made later.
        echo_summary "Applying the volume operations series to Nova"
        install_nova_volops
    elif [[ "$1" == "stack" && "$2" == "post-config" ]]; then
        echo_summary "Configuring Nova for the volume operations tests"
        configure_nova_volops
    elif [[ "$1" == "stack" && "$2" == "test-config" ]]; then
        if is_service_enabled tempest; then
            echo_summary "Configuring Tempest for the volume operations tests"
            configure_tempest_nova_volops
        fi
    elif [[ "$1" == "unstack" ]]; then
        revert_nova_volops
    elif [[ "$1" == "clean" ]]; then
        revert_nova_volops
        cleanup_nova_volops
    fi
fi

# Restore trace setting
$_XTRACE_NOVA_VOLOPS_PLUGIN
